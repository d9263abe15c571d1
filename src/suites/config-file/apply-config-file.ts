import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { WEBHOOK } from '../../events/event.ts';
import { mergeConfig } from '../config/suite-config.ts';
import { recordChanges } from '../record-changes.ts';
import { changeSuite, findSuite, lockSettings } from '../suite-store.ts';
import { followConfig } from '../update-suite.ts';
import { settingsFor, type ConfigFileState } from './config-file.ts';
import type { ParsedFile } from './parse-config-file.ts';

/** The file on the default branch of a repository. */
export type FoundFile = ParsedFile & Pick<ConfigFileState, 'branch' | 'url'> & { blobSha: string };

const withoutTime = (file: ConfigFileState | null) => file && { ...file, readAt: '' };

function nextState(before: ConfigFileState | null, found: FoundFile, name: string, readAt: string): ConfigFileState {
  const { branch, url, blobSha, problem } = found;
  if (found.settings === null) {
    return { blobSha: before?.blobSha ?? null, lines: before?.lines ?? {}, branch, url, problem, readAt };
  }
  return { blobSha, lines: settingsFor(found.settings, name).lines, branch, url, problem, readAt };
}

/**
 * Sets a suite's configuration to what the file says about it. Settings that the file no longer has keep their value
 * and can be changed again. If the file is invalid, only the problem is stored. Null: there is no file.
 * @returns whether anything changed
 */
export async function applyConfigFile(
  ctx: Pick<Context, 'db' | 'clock'>,
  suiteId: string,
  found: FoundFile | null,
): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    const locked = await lockSettings(trx, suiteId);
    const suite = await findSuite(trx, suiteId);
    // It was deleted, or unlinked.
    if (locked === null || suite === null || suite.codehost === null) return false;
    const { config: stored, configFile: before } = locked;
    const state = found && nextState(before, found, suite.name, ctx.clock.now().toISOString());
    const said = found?.settings ? settingsFor(found.settings, suite.name).config : {};
    const config = mergeConfig(stored, said);
    const isSame = isDeepStrictEqual(withoutTime(before), withoutTime(state)) && isDeepStrictEqual(stored, config);
    if (isSame) return false;
    const changed = await changeSuite(trx, suiteId, { config, configFile: state });
    await recordChanges(trx, WEBHOOK, suiteId, { before: { config: stored }, after: { config } });
    await followConfig(trx, changed, stored, config);
    return true;
  });
}
