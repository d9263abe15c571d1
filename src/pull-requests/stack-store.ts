import { z } from 'zod';
import { readValues, type Db } from '../db/database.ts';
import type { PullRequestKey } from '../runs/run.ts';
import type { PullRequest } from './pull-request.ts';

/** The maximum number of pull requests that are read. */
const MOST = 100;

type Based = PullRequestKey & { baseBranch: string };

async function findNextBelow(db: Db, { owner, repo, number, baseBranch }: Based): Promise<Based | null> {
  const below = await db('pull_requests')
    .where({ owner, repo, head_branch: baseBranch, state: 'OPEN', from_fork: false })
    .whereNot({ number })
    .orderBy('number', 'desc')
    .first('number', 'base_branch');
  return below && { owner, repo, ...below };
}

/**
 * The open pull request whose head branch is this one's base; the newest, if there are several. A branch of a fork is
 * another branch, whatever its name. Null as well if the way down leads back here: two branches that are to be merged
 * into each other would each leave their changes to the other one.
 */
export async function findBelow(db: Db, pull: Based): Promise<number | null> {
  const below = await findNextBelow(db, pull);
  const passed = new Set<number>();
  for (let next = below; next !== null && !passed.has(next.number); next = await findNextBelow(db, next)) {
    if (next.number === pull.number) return null;
    passed.add(next.number);
  }
  return below?.number ?? null;
}

/** Open pull requests that are based on this one's head branch. */
export async function findAbove(
  db: Db,
  { owner, repo, number, headBranch, fromFork }: PullRequest,
): Promise<PullRequestKey[]> {
  if (fromFork !== false) return [];
  const rows = await db('pull_requests')
    .where({ owner, repo, base_branch: headBranch, state: 'OPEN' })
    .whereNot({ number })
    .orderBy('number')
    .limit(MOST)
    .select('number');
  return rows.map((row) => ({ owner, repo, number: row.number }));
}

/**
 * The pull requests that were merged into this one's head branch, newest first. A branch may be used again after its
 * own merge. What was merged into it before belongs to the earlier pull request.
 */
export async function findMergedInto(db: Db, { owner, repo, number }: PullRequestKey): Promise<number[]> {
  return readValues(
    db,
    z.number(),
    `select merged.number
     from pull_requests as this
     join pull_requests as merged on merged.owner = this.owner and merged.repo = this.repo
       and merged.base_branch = this.head_branch and merged.state = 'MERGED' and merged.number <> this.number
     where this.owner = :owner and this.repo = :repo and this.number = :number and this.from_fork = false
       and merged.merged_at > coalesce((
         select max(before.merged_at) from pull_requests as before
         where before.owner = this.owner and before.repo = this.repo and before.head_branch = this.head_branch
           and before.state = 'MERGED' and before.from_fork = false and before.number <> this.number
       ), '-infinity')
     order by merged.merged_at desc
     limit ${MOST}`,
    { owner, repo, number },
  );
}
