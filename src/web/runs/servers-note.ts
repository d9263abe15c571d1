import type { Context } from '../../context.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { isSaidDifferent } from '../../runs/judging/said-different.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { isDecidable } from '../../runs/run.ts';
import { formatCount } from '../../text/format.ts';
import { listPermissions } from '../permissions.ts';

/** Whether preview and site may be one server, with the form that says so. */
export type ServersNote = {
  text: string;
  /** Null when the viewer may not. */
  form: { action: string; differ: boolean; label: string; back: string } | null;
};

const WHY =
  'Nothing shows that the preview and the site are different servers: they may be one server with two names. So what both show counts as a change.';

function form(run: RunFor, differ: boolean, back: string): ServersNote['form'] {
  if (!isDecidable(run.status) || !listPermissions(run.suite.access).approve) return null;
  const label = differ ? 'These are different servers' : 'These may be one server';
  return { action: `/runs/${run.id}/servers`, differ, label, back };
}

/** Null when no result of the run is in doubt. */
export function serversNote({ run, doubted }: Pick<RunOverview, 'run' | 'doubted'>): ServersNote | null {
  if (doubted === 0) return null;
  const what = `The site looks like the preview in ${formatCount(doubted, 'screenshot')}.`;
  return { text: `${what} ${WHY}`, form: form(run, true, `/runs/${run.id}`) };
}

/** Of a result. Null when what it shows is in no doubt. */
export async function readServersNote(
  { db }: Pick<Context, 'db'>,
  run: RunFor,
  { servers, cause, approved }: Pick<PageResult, 'servers' | 'cause' | 'approved'>,
  back: string,
): Promise<ServersNote | null> {
  if (servers === 'MAYBE_ONE' && !approved) {
    return { text: `The site looks the same now. ${WHY}`, form: form(run, true, back) };
  }
  if (cause !== 'DRIFT' || servers === 'DIFFERENT' || !(await isSaidDifferent(db, run))) return null;
  return { text: 'Someone said that the preview and the site are different servers.', form: form(run, false, back) };
}
