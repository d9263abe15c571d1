import { CONFIG_FILE } from '../../suites/config-file/config-file.ts';
import type { ConfigChange } from '../../suites/config-file/pull-request-config.ts';
import { plural } from '../../text/format.ts';
import { inCode } from '../../text/markdown-code.ts';

const MAX_BRANCH = 100;

const words = new Intl.ListFormat('en');

const names = (paths: readonly string[]) => words.format(paths.map((path) => `\`${path}\``));

/** Sentences, also as Markdown, about what a pull request changes in the configuration of its suite. */
export function describeConfigChange({ used, later, fromFork }: ConfigChange, baseBranch = 'the base'): string[] {
  const all = `This pull request changes the configuration in \`${CONFIG_FILE}\``;
  if (fromFork) {
    const base = inCode(baseBranch, MAX_BRANCH);
    return [
      `${all}: ${names(later)}. It is from a fork, so this run uses the configuration of ${base}. The change applies after the merge.`,
    ];
  }
  const own = `${all}: ${names(used)}. This run uses the pull request’s own version.`;
  const verb = plural(later.length, 'applies', 'apply');
  if (used.length === 0) return [`${all}: ${names(later)}, which ${verb} after the merge.`];
  return later.length === 0 ? [own] : [own, `Its changes of ${names(later)} apply after the merge.`];
}
