/** A suite as the names of its repository's checks depend on it. */
export type NamedSuite = { id: string; name: string; codehost: { checkContext?: string } | null };

/** GitHub shows two checks whose names differ in case only as one in a branch rule. */
const normaliseCheckName = (name: string) => name.trim().toLowerCase();

function derivedName(taken: Set<string>, defaultName: string, suiteName: string): string {
  const derived = `${defaultName} / ${suiteName}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? derived : `${derived} (${number})`;
    if (!taken.has(normaliseCheckName(name))) return name;
  }
}

/**
 * The name of each suite's check, all different: a name that was set stands; of the others the first has the default,
 * and the rest `<default> / <suite>` (contract 7.8). Pure; the order of the suites decides.
 */
export function checkNames(suites: readonly NamedSuite[], defaultName: string): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const give = (suite: NamedSuite, name: string) => {
    names.set(suite.id, name);
    taken.add(normaliseCheckName(name));
  };
  for (const suite of suites) {
    const set = suite.codehost?.checkContext;
    if (set !== undefined && !taken.has(normaliseCheckName(set))) give(suite, set);
  }
  for (const suite of suites.filter((each) => !names.has(each.id))) {
    const wanted = suite.codehost?.checkContext ?? defaultName;
    give(suite, taken.has(normaliseCheckName(wanted)) ? derivedName(taken, defaultName, suite.name) : wanted);
  }
  return names;
}

/** Whether another suite's check has the name already. */
export function isNameTaken(others: readonly NamedSuite[], defaultName: string, name: string): boolean {
  return [...checkNames(others, defaultName).values()].some(
    (taken) => normaliseCheckName(taken) === normaliseCheckName(name),
  );
}
