import type { ElementChange } from './element-change.ts';
import type { Matching } from './match-elements.ts';

/** Files that replaced others: matched by their address, or, if build tools change that, all together. */
function replacedFiles({ baseline, current }: NonNullable<Matching['fonts']>): { name: string; what: string[] }[] {
  const sameAddress = Object.entries(current).flatMap(([name, hash]) => {
    const before = baseline[name];
    return before === undefined || before === hash ? [] : [{ name, what: [before, hash] }];
  });
  const only = (fonts: Record<string, string>, others: Record<string, string>) => {
    const known = new Set(Object.values(others));
    return Object.entries(fonts).filter(([name, hash]) => others[name] === undefined && !known.has(hash));
  };
  const [gone, come] = [only(baseline, current), only(current, baseline)];
  if (gone.length === 0 || come.length === 0) return sameAddress;
  const hashes = [...gone, ...come].map(([, hash]) => hash);
  return [...sameAddress, { name: come.map(([name]) => name).join(', '), what: hashes.toSorted() }];
}

/** Font files whose bytes changed. Letters and icons may look different anywhere. */
export function findFontChanges({ fonts, current, baseline }: Matching): ElementChange[] {
  const [root, before] = [current[0], baseline[0]];
  if (fonts === null || root === undefined || before === undefined) return [];
  return replacedFiles(fonts).map(({ name, what }) => ({
    kind: 'RESTYLED',
    element: root.element.tag,
    summary: `font file ${name} changed`,
    before: null,
    after: null,
    about: 'font',
    what: JSON.stringify(what),
    nodes: [root],
    baseline: [before.box],
    current: [root.box],
    moves: true,
    covers: true,
  }));
}
