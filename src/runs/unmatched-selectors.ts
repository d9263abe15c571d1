import { rulesForPage, type PageAction, type PageRule } from '../suites/config/page-rule.ts';

/** The selectors of its rules that matched nothing on the page of a captured result. */
export type RuleMatches = { path: string; viewport: string; unmatchedSelectors: string[] };

type Lists = Partial<Record<'hide' | 'remove' | 'mask' | 'ignore' | 'waitFor', string[] | undefined>> & {
  actions?: PageAction[] | undefined;
};

/** The selectors that a rule, or the rules for a page, name. */
function selectorsIn(rule: Lists): string[] {
  const actions = (rule.actions ?? []).flatMap((action) => ('selector' in action ? (action.selector ?? []) : []));
  return [rule.hide, rule.remove, rule.mask, rule.ignore, rule.waitFor, actions].flatMap((list) => list ?? []);
}

/** Selectors that matched nothing on any page whose rules name them, in the order of the rules. */
export function findUnmatchedSelectors(rules: readonly PageRule[], results: readonly RuleMatches[]): string[] {
  const candidates = new Set(results.flatMap((result) => result.unmatchedSelectors));
  const named = new Set(rules.flatMap(selectorsIn));
  return [...named].filter((selector) => {
    if (!candidates.has(selector)) return false;
    // Rules for other pages need not be checked for each of thousands of results.
    const naming = rules.filter((rule) => selectorsIn(rule).includes(selector));
    const isNamedFor = (result: RuleMatches) =>
      selectorsIn(rulesForPage(naming, result)).includes(selector) &&
      selectorsIn(rulesForPage(rules, result)).includes(selector);
    return !results.some((result) => !result.unmatchedSelectors.includes(selector) && isNamedFor(result));
  });
}
