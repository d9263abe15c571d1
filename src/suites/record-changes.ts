import type { Db } from '../db/database.ts';
import type { Actor } from '../events/event.ts';
import { recordEvent } from '../events/record-event.ts';
import { cut } from '../text/format.ts';
import { findChanges, type Settings } from './settings-version.ts';
import type { CodeHostLink } from './suite.ts';

/** In characters of JSON. */
const VALUE_MAX_LENGTH = 4000;

/** A long list of rules is told in part. */
function shorten(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= VALUE_MAX_LENGTH ? (value ?? null) : cut(text, VALUE_MAX_LENGTH);
}

/** Records which settings of a suite changed, if any, in the transaction that stored them. */
export async function recordChanges(
  trx: Db,
  actor: Actor,
  suiteId: string,
  { before, after }: { before: Settings; after: Settings },
): Promise<void> {
  const { fields, config } = findChanges(before, after);
  const shortened = config.map(({ path, from, to }) => ({ path, from: shorten(from), to: shorten(to) }));
  const changes = [...fields, ...shortened].map(({ path: setting, from, to }) => ({ setting, from, to }));
  if (changes.length > 0) await recordEvent(trx, actor, { kind: 'suite.changed', suiteId, details: { changes } });
}

/** `owner/repo`, for people. */
export const nameLink = ({ owner, repo }: CodeHostLink) => `${owner}/${repo}`;

/** Records that a suite was linked to another repository, or to none. A new name of its check is no event. */
export async function recordLink(
  trx: Db,
  actor: Actor,
  suiteId: string,
  { before, after }: { before: CodeHostLink | null; after: CodeHostLink | null },
): Promise<void> {
  const [from, to] = [before && nameLink(before), after && nameLink(after)];
  if (from === to) return;
  if (to !== null) {
    const details = { repository: to, before: from };
    return recordEvent(trx, actor, { kind: 'repository.linked', suiteId, details });
  }
  const details = { repository: from ?? '' };
  return recordEvent(trx, actor, { kind: 'repository.unlinked', suiteId, details });
}
