import { isInFlight } from '../../runs/run.ts';
import type { SettingsReport } from '../../runs/settings-change/read-settings.ts';
import type { Look } from '../../runs/settings-change/settings-change.ts';
import { CONFIG_FILE } from '../../suites/config-file/config-file.ts';
import type { ConfigChange } from '../../suites/config-file/pull-request-config.ts';
import { listDifferences } from '../../suites/config-file/settings-difference.ts';
import { formatCount, formatList, formatPercent, ifAny, plural } from '../../text/format.ts';
import { inCode } from '../../text/markdown-code.ts';
import { readablePath } from '../../text/readable-path.ts';
import type { CheckLinks } from './check-links.ts';
import type { CheckSituation } from './check.ts';

const MAX_BRANCH = 100;

const names = (paths: readonly string[]) => formatList(paths.map((path) => `\`${path}\``));

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
  return later.length === 0 ? [own] : [own, `Its changes to ${names(later)} apply after the merge.`];
}

/** The maximum number of results for which a check lists what the settings of the base show. */
export const MAX_LOOKS = 10;

const MAX_DIFFERENCES = 20;
const MAX_VALUE = 120;
const MAX_PATH = 120;
const MAX_NAME = 64;

const STATES: Record<SettingsReport['review'], string> = {
  NOT_REQUIRED: 'None of this lets more changes pass in this pull request.',
  PENDING: '**Review this first:** it can let changes pass that the settings of the base would show.',
  APPROVED: 'This can let changes pass that the settings of the base would show.',
};

function formatState({ review, approvedBy, carriedOver }: SettingsReport): string {
  if (review !== 'APPROVED') return STATES[review];
  const who = inCode(approvedBy?.name ?? 'a reviewer', MAX_NAME);
  const when = carriedOver ? ', in an earlier commit of this pull request' : '';
  return `${STATES.APPROVED} Approved by ${who}${when}.`;
}

function formatLook({ id, path, viewport, baseStatus, baseScore }: Look, links: CheckLinks): string {
  const where = `${inCode(readablePath(path), MAX_PATH)} at ${inCode(viewport, MAX_NAME)}`;
  const shows =
    baseStatus === 'FAIL' ? `differs by ${formatPercent(baseScore ?? 0)}` : 'could not be captured with them';
  return `- ${where} ${shows} ([review](${links.resultUrl(id)}))`;
}

/** What the settings of the base would have shown. */
function formatLooks({ looks, counts, notCaptured }: SettingsReport, links: CheckLinks): string[] {
  const shown = looks.slice(0, counts.failing + counts.missing);
  const left = counts.failing + counts.missing - shown.length;
  const more = ifAny(left, `- …and ${formatCount(left, 'more result')}: [see all](${links.run}#settings)`);
  const passing = ifAny(counts.passing, `- ${formatCount(counts.passing, 'other result')} would not differ`);
  const uncaptured = ifAny(
    notCaptured,
    `- ${formatCount(notCaptured, 'more result')} not captured with the settings of the base`,
  );
  const lines = [...shown.map((look) => formatLook(look, links)), ...more, ...passing, ...uncaptured];
  return ifAny(lines.length, `**With the settings of the base:**\n\n${lines.join('\n')}`);
}

/** What the pull request changes in the settings, what that hides, and who approved it. */
export function formatSettings({ run, settings }: CheckSituation, links: CheckLinks): string[] {
  const change = run.git?.configChange;
  const sentences = change === undefined ? [] : describeConfigChange(change, run.git?.baseBranch);
  if (settings === null) return sentences;
  const list = listDifferences(settings.differences, MAX_DIFFERENCES, (text) => inCode(text, MAX_VALUE));
  return [
    '### Settings',
    ...sentences,
    list.map((line) => `- ${line}`).join('\n'),
    ...(settings.hash === null ? [] : [formatState(settings)]),
    ...(isInFlight(run.status) ? [] : formatLooks(settings, links)),
  ];
}
