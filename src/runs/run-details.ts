import { NAMED_MAX, type NamedPage, type RunDetails } from '../events/event.ts';
import type { Run } from './run.ts';

/** What an event says about its run. */
export function runDetails({ number, runType, trigger, git, merged }: Omit<Run, 'config'>): RunDetails {
  return {
    run: number,
    type: runType,
    trigger,
    pullRequest: git?.prNumber ?? merged?.prNumber ?? null,
    title: git?.title ?? merged?.title ?? null,
    branch: git?.branch ?? null,
  };
}

/** The first of these, as an event names them. */
export function namePages(results: readonly NamedPage[]): NamedPage[] {
  return results.slice(0, NAMED_MAX).map(({ path, viewport }) => ({ path, viewport }));
}
