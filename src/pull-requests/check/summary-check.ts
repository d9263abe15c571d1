import { formatCount, formatNumber } from '../../text/format.ts';
import { inCell } from '../../text/markdown-code.ts';
import { fitName, fitTitle } from './check-title.ts';
import { passes, type CheckConclusion, type ShownCheck, type Verdict } from './check.ts';

const MAX_NAME = 100;
const MAX_SAYS = 120;
const MAX_ROWS = 100;

/** What the check of one suite says. */
export type SuiteVerdict = { name: string; verdict: Verdict; address: string };

const isOpen = ({ verdict: { status } }: SuiteVerdict) => status !== 'completed';
const isRed = (each: SuiteVerdict) => !isOpen(each) && !passes(each.verdict);

const has = (all: SuiteVerdict[], ...conclusions: CheckConclusion[]) =>
  all.some(({ verdict: { conclusion } }) => conclusion !== null && conclusions.includes(conclusion));

/** The worst of them. */
function concludeRed(red: SuiteVerdict[]): CheckConclusion {
  if (has(red, 'failure', 'timed_out')) return 'failure';
  return has(red, 'action_required') ? 'action_required' : 'cancelled';
}

function formatTable(all: SuiteVerdict[]): string {
  const state = (each: SuiteVerdict) => (isOpen(each) ? 'waiting' : passes(each.verdict) ? 'passed' : '**not passed**');
  const rows = all
    .slice(0, MAX_ROWS)
    .map(
      (each) =>
        `| [${inCell(each.name, MAX_NAME)}](${each.address}) | ${state(each)} | ${inCell(each.verdict.title, MAX_SAYS)} |`,
    );
  return ['| Suite | | Check |', '| --- | --- | --- |', ...rows].join('\n');
}

function titleOfRed([first, ...others]: SuiteVerdict[], of: number): string {
  if (first === undefined || others.length > 0) {
    return fitTitle(`${formatNumber(others.length + 1)} of ${formatCount(of, 'suite')} not passed`);
  }
  const { name, verdict } = first;
  const withName = (cut: string) => `${cut}: ${verdict.title}`;
  return fitTitle(
    withName(name),
    fitName(name, (cut) => `${cut}: not passed`),
  );
}

/**
 * The check over all suites of a repository: red while any of them is, and green only once all have reported. What one
 * of them shows while it captures is not repeated (docs/rules.md, Pull requests). Pure.
 * @param fallbackAddress where it leads if there is no suite
 */
export function decideSummaryCheck(all: SuiteVerdict[], fallbackAddress: string): ShownCheck {
  const red = all.filter(isRed);
  const open = all.filter(isOpen);
  const detailsUrl = (red[0] ?? open[0] ?? all[0])?.address ?? fallbackAddress;
  const told = { summary: formatTable(all.map(withoutProgress)), detailsUrl };
  if (red.length > 0) {
    return { ...told, status: 'completed', conclusion: concludeRed(red), title: titleOfRed(red, all.length) };
  }
  if (open.length > 0) {
    const status = open.length < all.length || open.some(({ verdict }) => verdict.status === 'in_progress');
    const title = `Waiting for ${formatNumber(open.length)} of ${formatCount(all.length, 'suite')}`;
    return { ...told, status: status ? 'in_progress' : 'queued', conclusion: null, title };
  }
  if (all.length === 0) return { ...told, status: 'completed', conclusion: 'cancelled', title: 'No active suite' };
  const title = `${formatCount(all.length, 'suite')} passed`;
  return { ...told, status: 'completed', conclusion: has(all, 'success') ? 'success' : 'neutral', title };
}

/** Otherwise the check would be sent again with each screenshot. */
function withoutProgress(each: SuiteVerdict): SuiteVerdict {
  const { verdict } = each;
  return verdict.status === 'in_progress' ? { ...each, verdict: { ...verdict, title: 'Capturing' } } : each;
}

/** The verdict on one pull request of a merge group. `says` is the title of its check, `address` its run's page. */
export type JudgedPullRequest = { number: number; passes: boolean; says: string; address: string | null };

/** The check of a group whose base branch the suite does not gate. Pure. */
export function buildUngatedGroupCheck(baseBranch: string, detailsUrl: string): ShownCheck {
  return {
    status: 'completed',
    conclusion: 'neutral',
    detailsUrl,
    title: fitName(baseBranch, (name) => `Not gated: the base is ${name}`),
    summary: 'The base branch of this merge group is not one that the suite gates.',
  };
}

const SHOWN = 100;

function formatLine({ number, passes, says, address }: JudgedPullRequest): string {
  const link = address === null ? '' : ` ([view run](${address}))`;
  return `- ${passes ? 'Passed' : '**Not passed**'}: #${number}, \`${says.replaceAll('`', "'")}\`${link}`;
}

/** A group passes when it has one or more pull requests and all of them pass (docs/rules.md, Pull requests). Pure. */
export function buildGroupCheck(judged: JudgedPullRequest[], fallbackAddress: string): ShownCheck {
  const blocking = judged.filter((each) => !each.passes);
  const passes = judged.length > 0 && blocking.length === 0;
  const names = blocking.slice(0, 3).map((each) => `#${each.number}`);
  const others = blocking.length > names.length ? ` and ${blocking.length - names.length} more` : '';
  const title = passes
    ? fitTitle(
        `Visual review passed: ${judged.map((each) => `#${each.number}`).join(', ')}`,
        `Visual review passed: ${judged.length} pull requests`,
      )
    : fitTitle(`Visual review not passed: ${names.join(', ') || 'no known pull request'}${others}`);
  return {
    status: 'completed',
    conclusion: passes ? 'success' : 'failure',
    detailsUrl: (blocking[0] ?? judged[0])?.address ?? fallbackAddress,
    title,
    summary:
      [...blocking, ...judged.filter((each) => each.passes)].slice(0, SHOWN).map(formatLine).join('\n') ||
      'The branch of this merge group does not name a pull request.',
  };
}
