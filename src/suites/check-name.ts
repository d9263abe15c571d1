/** The fields of a suite that decide the check names of its repository. */
export type NamedSuite = { id: string; name: string; codehost: { checkContext?: string } | null };

/** In branch rules, GitHub treats check names that differ only in case as one. */
const normalizeCheckName = (name: string) => name.trim().toLowerCase();

function derivedName(taken: Set<string>, defaultName: string, suiteName: string): string {
  const derived = `${defaultName} / ${suiteName}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? derived : `${derived} (${number})`;
    if (!taken.has(normalizeCheckName(name))) return name;
  }
}

/**
 * A unique check name for each suite. A name that was set is used as it is. The first of the other suites gets the
 * default name, the rest get `<default> / <suite>` (docs/rules.md, Pull requests). Depends on the order of the suites.
 * Pure.
 * @param isDefaultTaken the check over all suites has the default name
 */
export function checkNames(
  suites: readonly NamedSuite[],
  defaultName: string,
  isDefaultTaken = false,
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>(isDefaultTaken ? [normalizeCheckName(defaultName)] : []);
  const give = (suite: NamedSuite, name: string) => {
    names.set(suite.id, name);
    taken.add(normalizeCheckName(name));
  };
  for (const suite of suites) {
    const set = suite.codehost?.checkContext;
    if (set !== undefined && !taken.has(normalizeCheckName(set))) give(suite, set);
  }
  for (const suite of suites.filter((each) => !names.has(each.id))) {
    const wanted = suite.codehost?.checkContext ?? defaultName;
    give(suite, taken.has(normalizeCheckName(wanted)) ? derivedName(taken, defaultName, suite.name) : wanted);
  }
  return names;
}

/** Whether another suite's check already has the name. */
export function isNameTaken(others: readonly NamedSuite[], defaultName: string, name: string): boolean {
  return [...checkNames(others, defaultName).values()].some(
    (taken) => normalizeCheckName(taken) === normalizeCheckName(name),
  );
}
