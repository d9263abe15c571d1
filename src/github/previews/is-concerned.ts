import type { PreviewSearch } from '../../pull-requests/previews/preview-search.ts';
import { isNamed } from './choose-preview.ts';
import type { HeardSignal } from './signal.ts';
import { isOfPreview } from './signal.ts';

const hostOf = (url: string | null | undefined) => (url === null || url === undefined ? null : new URL(url).host);

/**
 * Whether a signal can change the outcome of a search. Most statuses and checks of a commit are of tests, and can't. Pure.
 */
export function isConcerned({ matcher, fallback }: PreviewSearch, signal: HeardSignal): boolean {
  if (signal.source === 'DEPLOYMENT' || isOfPreview(signal) || (matcher !== null && isNamed(matcher, signal)))
    return true;
  return signal.url !== null && [hostOf(matcher?.url), hostOf(fallback)].includes(hostOf(signal.url));
}
