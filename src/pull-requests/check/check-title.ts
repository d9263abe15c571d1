import {
  describeCause,
  findOnlyPullRequest,
  groupUncounted,
  isChanged,
  isUncounted,
  type OtherCause,
} from '../../runs/results/result.ts';
import type { SettingsReport } from '../../runs/settings-change/read-settings.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { cut, formatCount, formatNumber, ifAny, plural } from '../../text/format.ts';
import {
  isError,
  isNewScreenshot,
  isUnapproved,
  type CheckChanges,
  type CheckRequest,
  type CheckResult,
  type CheckSituation,
} from './check.ts';

/** How many characters of a title GitHub shows in the list of checks. */
export const MAX_TITLE = 60;

/** The first wording that fits. If none does, the last one is cut. */
export function fitTitle(first: string, ...shorter: string[]): string {
  const all = [first, ...shorter];
  return all.find((title) => title.length <= MAX_TITLE) ?? cut(all.at(-1) ?? first, MAX_TITLE);
}

/** A title that contains a name, which is shortened to the remaining space. */
export function fitName(name: string, toTitle: (name: string) => string): string {
  return toTitle(cut(name, Math.max(1, MAX_TITLE - toTitle('').length)));
}

export const countPaths = (results: CheckResult[]) => new Set(results.map((result) => result.path)).size;

/** `7 changes approved by Ada, Bob and 2 others`, or with fewer names where they are long. */
export function titleOfApproved(changed: CheckResult[]): string {
  const names = [...new Set(changed.map((result) => result.approverName ?? 'a reviewer'))];
  const [first = ''] = names;
  const much = `${formatCount(changed.length, 'change')} approved by`;
  const withNames = (shown: number) => {
    const others = names.length - shown;
    const listed = names.slice(0, shown).join(', ');
    return `${much} ${others === 0 ? listed : `${listed} and ${formatCount(others, 'other')}`}`;
  };
  return fitTitle(
    withNames(Math.min(names.length, 2)),
    withNames(1),
    names.length === 1 ? fitName(first, (name) => `${much} ${name}`) : `${much} ${names.length} people`,
  );
}

export function titleOfApprovedSettings(settings: SettingsReport | null): string {
  return fitName(settings?.approvedBy?.name ?? 'a reviewer', (name) => `Settings approved by ${name}`);
}

/** `Changes requested by Ada, Bob and 2 others`, or with fewer names where they are long. */
export function titleOfRequests(requests: CheckRequest[]): string {
  const names = [...new Set(requests.map(({ author }) => author.name ?? 'a reviewer'))];
  const [first = ''] = names;
  const says = (listed: string) => `Changes requested by ${listed}`;
  const others = names.length > 1 ? ` and ${names.length - 1} more` : '';
  return fitTitle(
    says(names.length > 2 ? `${first}${others}` : names.join(' and ')),
    fitName(first, (name) => says(`${name}${others}`)),
  );
}

function newPagesNote(results: CheckResult[]): string {
  const pages = countPaths(results.filter(isNewScreenshot));
  return pages === 0 ? '' : ` (${formatCount(pages, 'new page')})`;
}

function wordsFor({ cause, results }: { cause: OtherCause; results: CheckResult[] }): string {
  return describeCause(cause, { causePullRequest: findOnlyPullRequest(results) });
}

/** `2 drifted, 1 from #12`: results that differ for another cause than a change. */
function formatUncounted(results: CheckResult[]): string {
  return groupUncounted(results)
    .map((group) => `${formatNumber(group.results.length)} ${wordsFor(group)}`)
    .join(', ');
}

/** `3 pages drifted, 2 behind`: the same by pages. */
function formatUncountedPages(results: CheckResult[]): string {
  return groupUncounted(results)
    .map((group) => ({ pages: countPaths(group.results), words: wordsFor(group) }))
    .map(({ pages, words }, at) => `${at === 0 ? formatCount(pages, 'page') : formatNumber(pages)} ${words}`)
    .join(', ');
}

export function titleWithoutChanges(results: CheckResult[]): string {
  const uncounted = formatUncountedPages(results);
  const fresh = newPagesNote(results);
  if (uncounted === '') return `No visual changes${fresh}`;
  const none = 'No changes from this PR';
  const pages = countPaths(results.filter(isUncounted));
  return fitTitle(
    `${none} (${uncounted})${fresh}`,
    `${none} (${uncounted})`,
    `${none} (${formatCount(pages, 'page')} ${plural(pages, 'differs', 'differ')})`,
  );
}

/** `Settings changed: review required (no visual changes)`: no result needs a review. */
function titleOfSettings(results: CheckResult[]): string {
  const changed = results.filter(isChanged).length;
  const fresh = results.filter(isNewScreenshot).length;
  const uncounted = results.filter(isUncounted).length;
  const counts = [
    ...ifAny(changed, `${formatCount(changed, 'change')} approved`),
    ...ifAny(fresh, `${formatNumber(fresh)} new`),
    ...ifAny(uncounted, formatUncounted(results)),
  ];
  const says = (what: string) => `Settings changed: review required (${what})`;
  return fitTitle(
    says(counts.length === 0 ? 'no visual changes' : counts.join(', ')),
    'Settings changed: review required',
  );
}

/** `3 of 5 changes on 29 pages`: what is left by cause. Null when no causes are known, or none of them is left. */
function formatCauses({ total, undecided }: CheckChanges, changed: CheckResult[]): string | null {
  if (undecided === 0) return null;
  const pages = countPaths(changed.filter(isUnapproved));
  const changes =
    undecided === total
      ? formatCount(total, 'change')
      : `${formatNumber(undecided)} of ${formatCount(total, 'change')}`;
  return `${changes} on ${formatCount(pages, 'page')}`;
}

/**
 * `5 changes on 29 pages, 2 new: review required`, or without known causes `7 changed, 2 new, 51 unchanged: review
 * required`. The first part to be left out needs no action.
 */
export function titleOfPending({ results, run, changes }: Pick<CheckSituation, 'results' | 'run' | 'changes'>): string {
  const changed = results.filter(isChanged);
  const fresh = results.filter(isNewScreenshot).length;
  const uncounted = results.filter(isUncounted).length;
  const unchanged = results.length - changed.length - fresh - uncounted;
  const approved = changed.filter((result) => result.approved).length;
  const toReview = `${formatNumber(changed.length)} changed${approved === 0 ? '' : ` (${formatNumber(approved)} approved)`}`;
  const loosened = settingsReview(run) === 'PENDING';
  if (loosened && changed.length === approved) return titleOfSettings(results);
  const says = (...counts: string[]) => `${loosened ? 'Settings and ' : ''}${counts.join(', ')}: review required`;
  const isNew = `${formatNumber(fresh)} new`;
  const same = `${formatNumber(unchanged)} unchanged`;
  const causes = formatCauses(changes, changed);
  if (causes !== null) return fresh === 0 ? fitTitle(says(causes)) : fitTitle(says(causes, isNew), says(causes));
  return fitTitle(
    says(toReview, isNew, same, ...ifAny(uncounted, formatUncounted(results))),
    says(toReview, isNew, same),
    says(toReview, isNew),
    says(toReview),
  );
}

/** What a completed run found: `7 changed, 2 new`. */
export function formatFindings(results: CheckResult[]): string {
  const [changed = 0, fresh = 0, errors = 0] = [isChanged, isNewScreenshot, isError].map(
    (is) => results.filter(is).length,
  );
  const counts = [
    ...ifAny(changed, `${formatNumber(changed)} changed`),
    ...ifAny(fresh, `${formatNumber(fresh)} new`),
    ...(results.some(isUncounted) ? [formatUncounted(results)] : []),
    ...ifAny(errors, `${formatNumber(errors)} not captured`),
  ];
  return counts.length === 0 ? 'no visual changes' : counts.join(', ');
}
