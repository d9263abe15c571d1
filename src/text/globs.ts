/** Turns `*.{css,scss}` into `*.css` and `*.scss`. Nested braces stay as they are. */
function alternatives(pattern: string): string[] {
  const MAX_ALTERNATIVES = 64;
  const MAX_CHARACTERS = 5000;
  let open = [pattern];
  for (let round = 0; round < 4; round += 1) {
    const next = open.flatMap((text) => {
      const [whole, list] = /\{([^{},]*(?:,[^{},]*)+)\}/.exec(text) ?? [];
      if (whole === undefined || list === undefined) return [text];
      return list.split(',').map((choice) => text.replace(whole, () => choice));
    });
    if (next.length > MAX_ALTERNATIVES || next.join('').length > MAX_CHARACTERS) return open;
    open = next;
  }
  return open;
}

/**
 * Whether the texts between stars come one after the other. The first match of each leaves the most for the others.
 * @param find where a text begins, from a place on; -1: nowhere
 */
export function matchesTexts(
  pattern: string,
  name: string,
  find = (text: string, from: number) => name.indexOf(text, from),
): boolean {
  const texts = pattern.split('*');
  const [first = '', ...more] = texts;
  const last = more.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const text of more) {
    at = find(text, at);
    if (at === -1) return false;
    at += text.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** Matches `*` and `?` within one name. It goes back to the last star only, so no pattern takes long. */
function matchesName(pattern: string, name: string): boolean {
  if (!pattern.includes('?')) return matchesTexts(pattern, name);
  let at = 0;
  let star = -1;
  let retry = 0;
  let position = 0;
  while (position < name.length) {
    if (pattern[at] === '*') {
      star = at;
      retry = position;
      at += 1;
    } else if (pattern[at] === '?' || pattern[at] === name[position]) {
      at += 1;
      position += 1;
    } else if (star !== -1) {
      retry += 1;
      at = star + 1;
      position = retry;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

/**
 * Matches name by name between slashes; `**` stands for any number of names. It fills a table row by row, so the work
 * is the product of both lengths.
 */
function matchesPath(pattern: string[], path: string[]): boolean {
  let reached = new Set([0]);
  const skipStars = (places: Set<number>) => {
    for (const place of places) if (pattern[place] === '**') places.add(place + 1);
    return places;
  };
  reached = skipStars(reached);
  for (const name of path) {
    const next = new Set<number>();
    for (const place of reached) {
      const part = pattern[place];
      if (part === '**') next.add(place);
      else if (part !== undefined && matchesName(part, name)) next.add(place + 1);
    }
    reached = skipStars(next);
  }
  return reached.has(pattern.length);
}

/** A pattern that names a folder matches everything in it. */
function compileGlob(pattern: string): (path: string) => boolean {
  const choices = alternatives(pattern).map((each) => {
    const parts = each
      .replace(/^\.?\//, '')
      .replace(/\/$/, '')
      .split('/');
    const wild = parts.findIndex((part) => /[*?]/.test(part));
    const folder = (wild === -1 ? parts : parts.slice(0, wild)).join('/');
    return { parts: [...parts, '**'], folder, within: `${folder}/`, isWild: wild !== -1, isAnywhere: wild === 0 };
  });
  return (path) =>
    choices.some(({ parts, folder, within, isWild, isAnywhere }) => {
      if (!isAnywhere && path !== folder && !path.startsWith(within)) return false;
      return !isWild || matchesPath(parts, path.split('/'));
    });
}

/**
 * Whether the globs match the path of a file or a page, or a host name. The last glob that matches decides, and `!`
 * excludes. The patterns are prepared once, for matching many paths. Something with several names matches if any of
 * them does.
 */
export function compileGlobs(patterns: readonly string[]): (...names: string[]) => boolean {
  const isNegative = (pattern: string) => pattern.startsWith('!');
  const globs = patterns.map((pattern) => ({
    excludes: isNegative(pattern),
    matches: compileGlob(isNegative(pattern) ? pattern.slice(1) : pattern),
  }));
  return (...names) => {
    const last = globs.findLast(({ matches }) => names.some(matches));
    return last === undefined ? patterns.every(isNegative) : !last.excludes;
  };
}

/** `compileGlobs` for one path. */
export function matchesGlobs(patterns: readonly string[], path: string): boolean {
  return compileGlobs(patterns)(path);
}

/** `matchesGlobs` as source text, for scripts that run in a browser. */
export const GLOBS_SOURCE = [
  alternatives,
  matchesTexts,
  matchesName,
  matchesPath,
  compileGlob,
  compileGlobs,
  matchesGlobs,
].join('\n');
