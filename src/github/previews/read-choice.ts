import type { Db } from '../../db/database.ts';
import { nameBase } from '../../net/site-base.ts';
import { findEarlierAttempts } from '../../pull-requests/check/check-store.ts';
import { hasPassed } from '../../pull-requests/check/run-check.ts';
import { findPullRequestsOfHeads } from '../../pull-requests/previews/preview-search-store.ts';
import type { NamedSignal, PreviewRules } from '../../pull-requests/previews/preview-search.ts';
import type { CommitKey, PullRequestRun } from '../../pull-requests/pull-request-run.ts';
import type { RepositoryKey } from '../../suites/suite.ts';
import { choosePreview, toNamed, type PreviewChoice } from './choose-preview.ts';
import { findHostsOfEnvironments, findSignals, findSignalsOfRepository, type SeenSignal } from './signal-store.ts';
import { isOfPreview } from './signal.ts';

/** The signals of a repository that have one name. */
export type HeardName = {
  /** At least one, newest first, of one commit each. */
  signals: SeenSignal[];
  newest: SeenSignal;
  /** The number of pull requests that had them. */
  pullRequests: number;
};

/** A name that this many pull requests had does not belong to one of them. */
const SEVERAL = 2;

export const isOfSeveral = ({ pullRequests }: HeardName): boolean => pullRequests >= SEVERAL;

export const nameKey = ({ source, name, project }: Pick<SeenSignal, 'source' | 'name' | 'project'>): string =>
  JSON.stringify([source, name, project]);

/** The stored signals of a repository, by their names, the newest first. */
export async function readHeardNames(db: Db, repository: RepositoryKey): Promise<HeardName[]> {
  const heard = await findSignalsOfRepository(db, repository);
  const numbers = await findPullRequestsOfHeads(db, repository, [...new Set(heard.map(({ headSha }) => headSha))]);
  const groups = new Map<string, SeenSignal[]>();
  for (const signal of heard) groups.set(nameKey(signal), [...(groups.get(nameKey(signal)) ?? []), signal]);
  return [...groups.values()].flatMap((signals) => {
    const [newest] = signals;
    if (newest === undefined) return [];
    const pullRequests = new Set(signals.flatMap(({ headSha }) => numbers.get(headSha) ?? [])).size;
    return [{ signals, newest, pullRequests }];
  });
}

const placeOf = ({ headSha, url }: SeenSignal) => (url === null ? null : `${headSha} ${nameBase(url)}`);

/** Whether a name means the site of the commit's own signals. `places`: their hosts at all commits. */
function isSameSite({ signals }: HeardName, own: SeenSignal[], places: Set<string | null>): boolean {
  return signals.some(
    (each) =>
      own.some(({ host, project }) => project !== '' && host === each.host && project === each.project) ||
      (each.url !== null && places.has(placeOf(each))),
  );
}

/**
 * Previews that several pull requests of the repository have, but this commit lacks, for example because the change
 * does not affect their project. Signals that ended before the commit's own first one are outdated.
 */
async function readOthers(db: Db, commit: CommitKey, own: SeenSignal[]): Promise<NamedSignal[]> {
  const names = new Set(own.map(nameKey));
  const heard = (await readHeardNames(db, commit)).filter(({ signals }) => signals.some(isOfPreview));
  const ours = heard.filter(({ newest }) => names.has(nameKey(newest))).flatMap(({ signals }) => signals);
  const places = new Set(ours.map(placeOf));
  const since = Math.min(...ours.map(({ createdAt }) => createdAt.getTime()));
  return heard
    .filter(({ newest }) => !names.has(nameKey(newest)) && newest.source !== 'DISPATCH')
    .filter(({ newest }) => newest.updatedAt.getTime() > since)
    .filter((other) => isOfSeveral(other) && other.signals.some((each) => each.readyKey !== null))
    .filter((other) => !isSameSite(other, own, places))
    .map(({ newest }) => toNamed(newest));
}

/**
 * What is known about a commit. A deployment without an address may be to an environment that has an address elsewhere.
 */
async function readSignals(db: Db, commit: CommitKey): Promise<SeenSignal[]> {
  const signals = await findSignals(db, commit);
  const isBare = ({ source, host }: SeenSignal) => source === 'DEPLOYMENT' && host === null;
  const bare = signals.filter(isBare).map(({ name }) => name);
  if (bare.length === 0) return signals;
  const hosts = await findHostsOfEnvironments(db, commit, bare);
  return signals.map((each) => (isBare(each) ? { ...each, host: hosts.get(each.name) ?? null } : each));
}

/** Which preview of a commit is a suite's, by all known signals. */
export async function readChoice(db: Db, commit: CommitKey, rules: PreviewRules): Promise<PreviewChoice> {
  const signals = await readSignals(db, commit);
  const own = signals.filter(isOfPreview);
  const isUnsaid = rules.matcher === null && rules.fallback === null;
  const others = isUnsaid && own.length > 0 ? await readOthers(db, commit, own) : [];
  return choosePreview({ ...rules, signals, others });
}

/** The host has said that the commit needs no deployment. */
export const isSkipped = (choice: PreviewChoice): boolean =>
  choice.kind === 'will_not_come' && choice.signal.state === 'SKIPPED';

/**
 * The last commit of the pull request before the run's whose deployment was not skipped, unless its check passes: what it
 * changed may still be there, and unseen (docs/rules.md, Pull requests). Null: nothing is left to review.
 */
export async function findUnpassedEarlier(db: Db, run: PullRequestRun, rules: PreviewRules): Promise<string | null> {
  for (const { id, reason, ...earlier } of await findEarlierAttempts(db, run)) {
    if (reason === 'preview_skipped') continue;
    if (await hasPassed(db, id)) return null;
    // Its run may have been cancelled before the deployment was known.
    if (earlier.enqueued || !isSkipped(await readChoice(db, earlier, rules))) return earlier.headSha;
  }
  return null;
}
