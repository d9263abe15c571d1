import { isDeepStrictEqual } from 'node:util';
import { toActor } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { conflict, notFound } from '../errors.ts';
import { enqueue } from '../queue/enqueue.ts';
import { requireUnlocked } from './config-file/locked-settings.ts';
import { PageRule, RULES_MAX, without } from './config/page-rule.ts';
import { recordChanges } from './record-changes.ts';
import { changeSuite, lockSettings } from './suite-store.ts';
import type { SuiteFor } from './suite.ts';

/** What a rule may ignore at one place. */
export type IgnoreRule = Pick<PageRule, 'paths' | 'viewports' | 'ignore' | 'ignoreBoxes'>;

const merged = <T>(before: T[] = [], added: T[] = []): T[] => [...before, ...without(added, before)];

/** Rules have no empty lists. */
const ignoring = ({ ignore = [], ignoreBoxes = [] }: Pick<PageRule, 'ignore' | 'ignoreBoxes'>) => ({
  ...(ignore.length === 0 ? {} : { ignore }),
  ...(ignoreBoxes.length === 0 ? {} : { ignoreBoxes }),
});

/** Removes fields that are undefined, like in a stored rule. */
const scopeOf = ({ paths, viewports = [] }: PageRule) => ({ paths, viewports });

/** Collects everything that is ignored for the same pages and viewports in one rule, which does nothing else. */
function join(rules: PageRule[], rule: IgnoreRule): PageRule[] {
  const at = rules.findIndex(({ paths, viewports, ignore, ignoreBoxes, ...rest }) => {
    const isSame = isDeepStrictEqual(scopeOf({ paths, viewports }), scopeOf(rule));
    return isSame && Object.keys(rest).length === 0 && (ignore !== undefined || ignoreBoxes !== undefined);
  });
  const known = rules[at];
  if (known === undefined) return [...rules, rule];
  const ignore = merged(known.ignore, rule.ignore);
  const ignoreBoxes = merged(known.ignoreBoxes, rule.ignoreBoxes);
  const joined = PageRule.safeParse({ ...known, ...ignoring({ ignore, ignoreBoxes }) });
  // A rule has a maximum number of selectors and boxes.
  return joined.success ? rules.with(at, joined.data) : [...rules, rule];
}

/**
 * The rules without what this one ignores for the same pages and viewports. A rule that ignores nothing else is
 * removed.
 */
function part(rules: PageRule[], rule: IgnoreRule): PageRule[] {
  return rules.flatMap((known) => {
    if (!isDeepStrictEqual(scopeOf(known), scopeOf(rule))) return [known];
    const { ignore, ignoreBoxes, ...rest } = known;
    const { paths: _paths, viewports: _viewports, ...others } = rest;
    const left = ignoring({
      ignore: without(ignore, rule.ignore),
      ignoreBoxes: without(ignoreBoxes, rule.ignoreBoxes),
    });
    return Object.keys({ ...others, ...left }).length === 0 ? [] : [{ ...rest, ...left }];
  });
}

/**
 * Adds to what the suite ignores, or removes it: `undo`. Open gates are judged again.
 * @throws AppError not_found; conflict if the suite has the maximum number of rules, or the repository's file sets
 * them.
 */
export async function addIgnoreRule(
  { db }: Pick<Context, 'db'>,
  { id, viewer }: SuiteFor<'suite.edit'>,
  rule: IgnoreRule,
  { undo = false }: { undo?: boolean } = {},
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const stored = await lockSettings(trx, id);
    if (stored === null) throw notFound('Suite');
    const { config, configFile } = stored;
    const rules = (undo ? part : join)(config.rules ?? [], rule);
    if (rules.length > RULES_MAX)
      throw conflict(`The suite already has the maximum of ${RULES_MAX} rules`, 'too_many_rules');
    const changed = { ...config, rules };
    requireUnlocked(configFile, config, changed);
    await changeSuite(trx, id, { config: changed });
    await recordChanges(trx, toActor(viewer), id, { before: { config }, after: { config: changed } });
    await enqueue(trx, 'judge-suite', { suiteId: id });
  });
}
