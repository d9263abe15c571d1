import type { Run } from '../run.ts';

/**
 * Which previews a person speaks of who says that one is on another server than the site: all of pull requests, whose hosts
 * differ by number, or of other runs those at the same origin.
 */
export const previewKind = ({ runType, targetBaseUrl }: Pick<Run, 'runType' | 'targetBaseUrl'>): string =>
  runType === 'PR' ? 'pull requests' : new URL(targetBaseUrl).origin;
