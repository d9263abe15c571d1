import type { SignalKey } from '../../pull-requests/previews/preview-search.ts';
import type { CommitKey } from '../../pull-requests/pull-request-run.ts';
import type { SignalState } from './report.ts';

/** What is known about one preview of a commit: all events of one environment, context or check are one signal. */
export type Signal = CommitKey &
  SignalKey & {
    /** The host whose report it is. Null: no row of the table of hosts. */
    host: string | null;
    state: SignalState;
    /** The address of the preview. It is kept if a later deployment of the commit fails. */
    url: string | null;
    /** Where people read about it: a log, a dashboard. */
    link: string | null;
    /** The branch, where the host says. */
    ref: string | null;
    /** Whether that is the repository's default branch. */
    onDefaultBranch: boolean;
    /** GitHub's number of the deployment, status or check, and of the report about it. Later ones have larger numbers. */
    serial: number;
    step: number;
    /** Which deployment is at `url`. Null: none was ready yet. */
    readyKey: string | null;
  };

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
