import { personName } from '../../auth/user.ts';
import type { Assignee } from '../../runs/assignees/assignee-sql.ts';
import { buildName } from '../../runs/builds/build.ts';
import { isDecidable, waitsForReview } from '../../runs/run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { formatCount, formatNumber, ifAny, shortSha } from '../../text/format.ts';
import { asBlock, inCode } from '../../text/markdown-code.ts';
import { readablePath } from '../../text/readable-path.ts';
import { sha256Of } from '../../text/sha256.ts';
import { describeSignal, type NamedSignal } from '../previews/preview-search.ts';
import { adviseNext } from './check-advice.ts';
import { formatResults } from './check-causes.ts';
import { formatGroups } from './check-groups.ts';
import type { CheckLinks } from './check-links.ts';
import { formatSettings } from './check-settings.ts';
import { fitTitle } from './check-title.ts';
import { decideVerdict } from './check-verdict.ts';
import { isError, isUnapproved, type CheckRequest, type CheckSituation, type ShownCheck } from './check.ts';

const ROWS = 50;
/** Rows of one change, folded. */
const ROWS_OF_GROUP = 25;
/** To make room for groups of changes, the number of rows is reduced down to this. */
const LEAST_ROWS = 10;
/** GitHub refuses 65,535 characters. We count bytes: a text never has fewer bytes than characters. */
const MAX_BYTES = 65_000;
const MAX_ADDRESS = 180;
const MAX_TEXT = 4_000;
const MAX_SIGNAL = 180;
const MAX_NAMES = 10;
const MAX_PATH = 180;
const MAX_NAME = 64;
const MAX_NOTE = 500;

/** GitHub turns a login into a link. Other names are plain text. */
const nameOf = (assignee: Assignee) =>
  assignee.login !== null && /^[A-Za-z\d](?:[A-Za-z\d-]{0,38})$/.test(assignee.login)
    ? `@${assignee.login}`
    : inCode(personName(assignee), MAX_NAME);

/** `Waiting for @ada and 2 others`: whom the run is assigned to, while it waits for a review. */
function formatWaiting({ run }: Pick<CheckSituation, 'run'>): string[] {
  const { assignees } = run;
  if (assignees.length === 0 || !waitsForReview(run)) return [];
  const names = assignees.slice(0, MAX_NAMES).map(nameOf).join(', ');
  const more = assignees.length - MAX_NAMES;
  return [`**Waiting for** ${names}${more > 0 ? ` and ${formatCount(more, 'other')}` : ''}.`];
}

const formatSignal = (signal: NamedSignal): string => {
  const name = inCode(describeSignal(signal), MAX_SIGNAL);
  return signal.link === null ? name : `[${name}](<${signal.link}>)`;
};

/** Who asks for changes, of what and why. */
function formatRequests(requests: CheckRequest[], links: CheckLinks): string[] {
  return requests.map(({ author, note, resultId, path, viewport }) => {
    const where =
      resultId === null
        ? 'this pull request'
        : `${inCode(readablePath(path ?? ''), MAX_PATH)} at ${inCode(viewport ?? '', MAX_NAME)} ([review](${links.resultUrl(resultId)}))`;
    const who = inCode(author.name ?? 'a reviewer', MAX_NAME);
    return `**Changes requested** by ${who} on ${where}:\n\n${asBlock(note, MAX_NOTE)}`;
  });
}

/** The deployments that a check without a preview lists, as Markdown. Empty once there is a preview. */
function formatSearch({ run, search }: Pick<CheckSituation, 'run' | 'search'>): string[] {
  if (search === null || run.git?.enqueued === true) return [];
  const { candidates, failed } = search;
  if (failed !== null) return [`See ${formatSignal(failed)}. Another deployment of this commit starts another run.`];
  if (candidates.length === 0) return [];
  return [
    'Several deployments fit this suite.',
    candidates.map((candidate) => `- ${formatSignal(candidate)}`).join('\n'),
  ];
}

/** `Run of abc1234 against …`, and what readers should know about its screenshots. */
function formatFacts({ run, results, heard }: CheckSituation, links: CheckLinks): string {
  const head = run.git?.headSha === undefined ? '' : ` of ${shortSha(run.git.headSha)}`;
  const page = `[Run #${run.number}${head}](${links.run})`;
  const preview = run.git?.previewUrl;
  const target = run.buildId === null ? preview : buildName(run.buildId);
  const carried = results.filter((result) => result.approved && result.carriedOver).length;
  const cutOff = results.filter((result) => result.cut).length;
  const { provenScreenshots: proven = 0, removedPages: removed = 0 } = run.metadata ?? {};
  return [
    target === undefined ? `${page}.` : `${page} against ${inCode(target, MAX_ADDRESS)}.`,
    ...ifAny(
      heard.differences,
      `Assistive technology hears ${formatCount(heard.differences, 'difference')} on ${formatCount(heard.pages, 'page')}.`,
    ),
    ...ifAny(
      carried,
      `${formatCount(carried, 'screenshot')} carried over from an earlier approval in this pull request.`,
    ),
    ...ifAny(
      proven,
      `${formatCount(proven, 'screenshot')} proven unchanged by what the preview serves, ${formatNumber(results.length - proven)} captured.`,
    ),
    ...ifAny(removed, `${formatCount(removed, 'tracked page')} left out: not found by the last crawl.`),
    ...ifAny(
      cutOff,
      `${formatCount(cutOff, 'screenshot')} ${cutOff === 1 ? 'does' : 'do'} not show the whole page; the rest was not compared.`,
    ),
  ].join('\n\n');
}

/**
 * The Markdown text under a check's title: what changed by cause, with pictures where GitHub can fetch them, then what to
 * do, then the results folded by what they are. Always shorter than 65,535 bytes, GitHub's limit: it ends after a whole
 * group or row, and says how many more there are. Pure.
 * @returns also the ids of the variants of changes that it shows.
 */
export function formatSummary(
  situation: CheckSituation,
  notice: string | null,
  links: CheckLinks,
): { summary: string; variants: string[] } {
  const { run, results, changes, requests } = situation;
  const waiting = formatWaiting(situation);
  const opening = [...(notice === null ? [] : [asBlock(notice, MAX_TEXT)]), ...formatSettings(situation, links)];
  const error = run.metadata?.error === undefined ? [] : [asBlock(run.metadata.error, MAX_TEXT)];
  const search = formatSearch(situation);
  const advice = adviseNext(situation, links);
  const facts = formatFacts(situation, links);
  const write = (groups: number, rows: number) =>
    [
      ...opening,
      ...waiting,
      ...formatRequests(requests, links),
      ...formatGroups(changes, groups, { results, rows: Math.min(rows, ROWS_OF_GROUP), links }),
      ...error,
      ...search,
      ...advice,
      ...formatResults(results, rows, links),
      facts,
    ].join('\n\n');
  const { text, groups } = writeWithin(write, changes.groups.length);
  const shown = changes.groups.slice(0, groups);
  return { summary: text, variants: shown.flatMap(({ variants }) => variants.map(({ id }) => id)) };
}

/** Fits the text into the limit: first with fewer rows, then with fewer groups, then without rows. */
function writeWithin(
  write: (groups: number, rows: number) => string,
  groups: number,
): { text: string; groups: number } {
  const fits = (text: string) => Buffer.byteLength(text) <= MAX_BYTES;
  for (let rows = ROWS; rows >= LEAST_ROWS; rows -= 5) {
    const text = write(groups, rows);
    if (fits(text)) return { text, groups };
  }
  for (let left = groups; left >= 0; left -= 1) {
    const text = write(left, LEAST_ROWS);
    if (fits(text)) return { text, groups: left };
  }
  for (let rows = LEAST_ROWS; rows > 0; rows -= 1) {
    const text = write(0, rows);
    if (fits(text)) return { text, groups: 0 };
  }
  return { text: write(0, 0), groups: 0 };
}

/** The names of buttons. */
export const CHECK_ACTIONS = ['approve', 'rerun_errors'] as const;

/**
 * `identifier`: what GitHub returns in `requested_action`, a name, and for `approve:…` what it approves. GitHub allows 20
 * characters for it and for a label, and 40 for a description.
 */
export type CheckAction = { identifier: string; label: string; description: string };

export type DesiredCheck = ShownCheck & {
  /** The ids of the variants of changes that the summary shows. */
  variants: string[];
  actions: CheckAction[];
};

const APPROVE = {
  label: 'Approve',
  description: 'Approve all changes in this check',
};
const RERUN_ERRORS: CheckAction = {
  identifier: 'rerun_errors',
  label: 'Re-run errors',
  description: 'Capture the failed screenshots again',
};

/** Differs for whatever else an approval would approve, so that the button of an older page on GitHub does not do that. */
function nameApproval({ run, results, changes }: CheckSituation): string {
  const open = results.filter(isUnapproved).map(({ id, currentFile, diffScore }) => [id, currentFile, diffScore]);
  const variants = changes.groups.flatMap((group) => group.variants.map(({ id }) => id));
  return `approve:${sha256Of(JSON.stringify([open, variants, run.settingsHash])).slice(0, 12)}`;
}

function chooseActions(situation: CheckSituation): CheckAction[] {
  const { run, results } = situation;
  if (!isDecidable(run.status)) return [];
  const isOpen = results.some(isUnapproved) || settingsReview(run) === 'PENDING';
  const approve = { identifier: nameApproval(situation), ...APPROVE };
  return [...(isOpen ? [approve] : []), ...(results.some(isError) ? [RERUN_ERRORS] : [])];
}

/**
 * The notice about a refused button is shown while the check has buttons, or when the run ended early: an old GitHub
 * page may still show one then. The notice about a failed deployment is shown until a preview is found.
 */
function isNoticeDue({ run }: CheckSituation, actions: CheckAction[]): boolean {
  const awaitsPreview = run.status === 'PENDING' && run.git?.enqueued !== true;
  const hasEndedEarly = run.status === 'CANCELLED' || run.metadata?.reason === 'preview_timeout';
  return actions.length > 0 || awaitsPreview || hasEndedEarly;
}

/** The check that GitHub must show for the run's current state. Pure: equal situations give equal checks. */
export function decideCheck(situation: CheckSituation, notice: string | null, links: CheckLinks): DesiredCheck {
  const verdict = decideVerdict(situation);
  const actions = chooseActions(situation);
  return {
    ...verdict,
    title: fitTitle(verdict.title),
    ...formatSummary(situation, isNoticeDue(situation, actions) ? notice : null, links),
    actions,
    detailsUrl: links.run,
  };
}
