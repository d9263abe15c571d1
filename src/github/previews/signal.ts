import type { SelectedRow } from '../../db/query.ts';

export const SIGNAL_COLUMNS = [
  'owner',
  'repo',
  'head_sha',
  'source',
  'name',
  'project',
  // The host whose report it is. Null: no row of the table of hosts.
  'host',
  'state',
  // The address of the preview. It is kept if a later deployment of the commit fails.
  'url',
  // Where people read about it: a log, a dashboard.
  'link',
  // The branch, where the host says, and whether that is the repository's default branch.
  'ref',
  'on_default_branch',
  // GitHub's number of the deployment, status or check, and of the report about it. Later ones have larger numbers.
  'serial',
  'step',
  // Which deployment is at `url`. Null: none was ready yet.
  'ready_key',
] as const;

/** What is known about one preview of a commit: all events of one environment, context or check are one signal. */
export type Signal = SelectedRow<'preview_signals', typeof SIGNAL_COLUMNS>;

/** What an event says about a signal. */
export type HeardSignal = Omit<Signal, 'readyKey'>;

const isFinal = ({ state }: Pick<Signal, 'state'>) => state !== 'PENDING';

/** Events arrive late and in any order. Those without numbers count in the order of arrival. */
function isOlder(told: HeardSignal, known: Signal): boolean {
  if (told.serial !== known.serial) return told.serial < known.serial;
  if (told.step !== known.step) return told.step < known.step;
  return isFinal(known) && !isFinal(told);
}

/** A repeated status is not another deployment. */
function nameReady(known: Signal | null, told: HeardSignal): string | null {
  if (told.state !== 'READY' || (told.url === null && known?.url !== null && known !== null)) {
    return known?.readyKey ?? null;
  }
  const isSaidAgain = told.source === 'STATUS' && known?.state === 'READY' && known.url === told.url;
  return isSaidAgain ? known.readyKey : `${told.serial} ${told.url ?? ''}`;
}

/**
 * The signal after an event; null when the event says nothing new. A preview that was ready keeps its address, whatever
 * happens to a later deployment of the same commit. Pure.
 */
export function followSignal(known: Signal | null, told: HeardSignal): Signal | null {
  if (known === null) return { ...told, readyKey: nameReady(null, told) };
  if (isOlder(told, known)) {
    // The address of the deployment that failed or was replaced later is better than none.
    const isFirstAddress = known.url === null && told.url !== null;
    return isFirstAddress ? { ...known, url: told.url, readyKey: nameReady(null, told) } : null;
  }
  const kept = { host: told.host ?? known.host, url: told.url ?? known.url, readyKey: nameReady(known, told) };
  const next = { ...known, ...told, ...kept };
  const isNews = next.state !== known.state || next.readyKey !== known.readyKey || next.serial !== known.serial;
  return isNews || next.step !== known.step ? next : null;
}

export const LOOKS_LIKE_PREVIEW = /preview|review|(^|[^a-z])pr([^a-z]|$)/i;

/**
 * Other statuses and checks, such as test runs, link to their own pages and never to a preview. So do deployments of
 * jobs that only use the secrets of an environment: they have no address.
 */
export const isOfPreview = ({ source, name, host }: Pick<Signal, 'source' | 'name' | 'host'>): boolean =>
  host !== null || (source === 'DEPLOYMENT' && LOOKS_LIKE_PREVIEW.test(name));
