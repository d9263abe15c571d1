import { afterAll, afterEach, expect, it } from '@jest/globals';
import { readMergeBase } from '../../../src/github/app/read-merge-base.ts';
import { createTestDatabase } from '../../support/database.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';
import * as github from '../check-world.ts';

stubHttp();

const database = await createTestDatabase();
const world = github.connectedWorld(database.db);
afterAll(() => database.drop());
afterEach(() => github.leaveNothing());

const [of, head] = ['a'.repeat(40), 'b'.repeat(40)];

function read(status: number, body: object) {
  github.letIn();
  const path = `/api/v3/repos/acme/site/compare/${of}...${head}`;
  nock('http://github.test').get(path).query({ per_page: 1 }).reply(status, body);
  return readMergeBase(world.ctx, { ...github.REPOSITORY, installationId: 12, of, head });
}

it('reads what two commits have in common, and since when', async () => {
  const commit = { committer: { name: 'Ada', date: '2026-01-01T00:00:00Z' } };
  const base = await read(200, { status: 'diverged', merge_base_commit: { sha: 'c'.repeat(40), commit }, commits: [] });
  expect(base).toEqual({ sha: 'c'.repeat(40), committedAt: '2026-01-01T00:00:00Z' });
});

it.each([
  [404, { message: 'Not Found' }],
  [200, { status: 'diverged', commits: [] }],
])('knows nothing when GitHub answers %i without it', async (status, body) => {
  expect(await read(status, body)).toBeNull();
});

it('throws when GitHub does not answer, so that it is asked again', async () => {
  await expect(read(502, { message: 'Bad gateway' })).rejects.toThrow('Bad gateway');
});
