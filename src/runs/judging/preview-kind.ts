import type { Run } from '../run.ts';

/**
 * The previews that are meant when a person says that one is on another server than the site: all previews of pull
 * requests, whose hosts differ by number, or, for other runs, those at the same origin.
 */
export const previewKind = ({ runType, targetBaseUrl }: Pick<Run, 'runType' | 'targetBaseUrl'>): string =>
  runType === 'PR' ? 'pull requests' : new URL(targetBaseUrl).origin;
