import { DELETED_USER } from '../auth/user.ts';
import { assertNever } from '../errors.ts';
import { NAMED_MAX, type NamedPage, type RunDetails } from '../events/event.ts';
import { nameBase } from '../net/site-base.ts';
import { parseUrl } from '../text/parse-url.ts';
import { buildName } from './builds/build.ts';
import type { Run } from './run.ts';

const placeOf = (url: string) => (parseUrl(url) === null ? null : nameBase(url));

type Named = Pick<Run, 'number' | 'runType' | 'git' | 'merged' | 'targetBaseUrl' | 'buildId'>;

/** `Pull request #12: Fix the header`, as far as it is known. */
export function namePullRequest({ prNumber, title }: { prNumber?: number; title?: string }): string {
  const number = prNumber === undefined ? 'Pull request' : `Pull request #${prNumber}`;
  return title === undefined ? number : `${number}: ${title}`;
}

function nameMerge({ prNumber, title }: NonNullable<Run['merged']>): string {
  const number = prNumber === undefined ? '' : ` of #${prNumber}`;
  return `Site run after the merge${number}${title === undefined ? '' : `: ${title}`}`;
}

/** What a run captured, for people. `ref`: the branch, or else the address of the preview, or the build. */
export function describeSubject({ runType, git, merged, targetBaseUrl, buildId }: Omit<Named, 'number'>): {
  what: string;
  ref: string | null;
} {
  switch (runType) {
    case 'MANUAL':
      return { what: merged === null ? 'Site run' : nameMerge(merged), ref: null };
    case 'PR':
      return { what: namePullRequest(git ?? {}), ref: git?.branch ?? null };
    case 'BRANCH':
      return {
        what: 'Branch preview',
        ref: git?.branch ?? (buildId === null ? placeOf(targetBaseUrl) : buildName(buildId)),
      };
    default:
      return assertNever(runType);
  }
}

/** As `#128`. */
export const runNumber = ({ number }: Pick<Run, 'number'>): string => `#${number}`;

/** The full name of a run: `#128 Pull request #12: Fix the header`. */
export function nameRun(run: Named): string {
  const { what, ref } = describeSubject(run);
  return run.runType === 'BRANCH' && ref !== null ? `${runNumber(run)} ${what} ${ref}` : `${runNumber(run)} ${what}`;
}

/** Names of accounts by their ids. A deleted account has none. */
export type People = ReadonlyMap<string, string>;

/** What started a run, such as `by Ada` or `after a push`. Null if unknown. */
export function describeBeginning(
  { trigger, startedById, tokenName }: Pick<Run, 'trigger' | 'startedById' | 'tokenName'>,
  people: People,
): string | null {
  const person = people.get(startedById ?? '') ?? DELETED_USER;
  switch (trigger) {
    case 'USER':
      return `by ${person}`;
    case 'TOKEN':
      return `by ${person} with the token “${tokenName ?? ''}”`;
    case 'WORKFLOW':
      return 'by a GitHub workflow';
    case 'PUSH':
      return 'by a push';
    case 'MERGE':
      return 'by a merge';
    case 'CRAWL':
      return 'after the crawl';
    case 'SCHEDULE':
      return 'by its schedule';
    case null:
      return null;
    default:
      return assertNever(trigger);
  }
}

/** What an event about a run says of the run, and `details` besides. */
export function aboutRun<D extends object>(run: Omit<Run, 'config'>, details: D) {
  const { id: runId, testSuiteId: suiteId, number, runType, trigger, git, merged } = run;
  const named: RunDetails = {
    run: number,
    type: runType,
    trigger,
    pullRequest: git?.prNumber ?? merged?.prNumber ?? null,
    title: git?.title ?? merged?.title ?? null,
    branch: git?.branch ?? null,
  };
  return { suiteId, runId, details: { ...named, ...details } };
}

/** The first of these, as an event names them. */
export function namePages(results: readonly NamedPage[]): NamedPage[] {
  return results.slice(0, NAMED_MAX).map(({ path, viewport }) => ({ path, viewport }));
}
