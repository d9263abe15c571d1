import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../db/database.ts';
import type { ChangedSetting } from '../events/administration-event.ts';
import type { Actor } from '../events/event.ts';
import { recordEvent } from '../events/record-event.ts';
import { differingSettings, valueAt } from './config-file/locked-settings.ts';
import { effectiveConfig, type SuiteConfigInput } from './config/suite-config.ts';
import type { CodeHostLink } from './suite.ts';

/** The parts of a suite that settings change. `isActive`, which few forms send, is missing where it stays. */
export type Settings = {
  name?: string;
  baseUrl?: string;
  description?: string | null;
  isActive?: boolean;
  config: SuiteConfigInput;
};

/** In characters of JSON. */
const VALUE_MAX_LENGTH = 4000;

/** A long list of rules is told in part. */
function shorten(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= VALUE_MAX_LENGTH ? (value ?? null) : `${text.slice(0, VALUE_MAX_LENGTH)}…`;
}

const PLAIN = ['name', 'baseUrl', 'description', 'isActive'] as const;

function listChanges(before: Settings, after: Settings): ChangedSetting[] {
  const plain = PLAIN.filter((field) => after[field] !== undefined && !isDeepStrictEqual(before[field], after[field]));
  const [from, to] = [effectiveConfig(before.config), effectiveConfig(after.config)];
  return [
    ...plain.map((setting) => ({ setting, from: before[setting], to: after[setting] })),
    ...differingSettings(from, to).map(({ path }) => ({
      setting: path,
      from: shorten(valueAt(from, path)),
      to: shorten(valueAt(to, path)),
    })),
  ];
}

/** Records which settings of a suite are others now, in the transaction that stored them. None is no event. */
export async function recordChanges(
  trx: Db,
  actor: Actor,
  suiteId: string,
  { before, after }: { before: Settings; after: Settings },
): Promise<void> {
  const changes = listChanges(before, after);
  if (changes.length > 0) await recordEvent(trx, actor, { kind: 'suite.changed', suiteId, details: { changes } });
}

const nameLink = ({ owner, repo }: CodeHostLink) => `${owner}/${repo}`;

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
