import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { codeOf, startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { someoneWaits } from '../support/database.ts';
import { memoryLog } from '../support/memory-log.ts';
import { finishedRun, newSuite } from '../support/world.ts';
import { halfBlack, worldOf } from './fixture.ts';

/* Requests that have found their suite, and write when somebody else has just deleted it. */

let api: TestApi;
let owner: Account;
let other: Account;
const log = memoryLog();
beforeAll(async () => {
  api = await startTestApi({}, (ctx) => ({ ...ctx, log: log.logger }));
  owner = await api.account('owner');
  other = await api.account('other');
});
afterAll(async () => api.stop());

type Write = [method: string, path: string, body?: unknown];

const WRITES: [name: string, write: () => Write][] = [
  ['adds a page', () => ['POST', '/pages', { path: '/new' }]],
  ['follows it', () => ['PUT', '/follow']],
  ['shares it', () => ['POST', '/access', { userId: other.user.id }]],
  ['invites to it', () => ['POST', '/invitations', {}]],
  ['makes a token', () => ['POST', '/tokens', { name: 'CI', scopes: ['read'] }]],
  ['makes a target', () => ['POST', '/targets', { kind: 'WEBHOOK', name: 'Ours', url: 'https://hooks.example.com/a' }]],
  ['runs it', () => ['POST', '/run']],
  ['renames it', () => ['PATCH', '', { name: 'New' }]],
  ['hands it over', () => ['POST', '/hand-over', { email: other.user.email }]],
  ['sets its access', () => ['PUT', '/site-access', { vercel: { secret: 'bypass' } }]],
];

async function whileDeleted(id: string, [method, path, body]: Write) {
  const trx = await api.ctx.db.transaction();
  await trx('test_suites').where({ id }).delete();
  const asking = api.request(method, path, { token: owner.token, body });
  await Promise.race([asking, someoneWaits(api.ctx.db)]);
  await trx.commit();
  return asking;
}

it.each(WRITES)('who %s is told that it is gone', async (_name, write) => {
  const { id } = await newSuite(worldOf(api), owner.user, ['/']);
  const [method, path, body] = write();
  const answer = await whileDeleted(id, [method, `/api/test-suites/${id}${path}`, body]);
  expect(codeOf(answer)).toEqual([404, 'not_found']);
});

it('is logged, because it may be a fault of ours', async () => {
  const { id } = await newSuite(worldOf(api), owner.user, ['/']);
  const before = log.failures().length;
  await whileDeleted(id, ['PUT', `/api/test-suites/${id}/follow`]);
  const text = expect.stringContaining('suite_follows_test_suite_id_fkey');
  expect(log.failures().slice(before)).toEqual([{ level: 'warn', text }]);
});

it('who restores a version of it is told that it is gone', async () => {
  const world = worldOf(api);
  const suite = await newSuite(world, owner.user, ['/']);
  await finishedRun(world, owner.user, suite, () => 'a');
  const version = await api.ctx.db('baseline_versions').where({ test_suite_id: suite.id }).first('id', 'file_path');
  await api.ctx.storage.put(version.filePath, halfBlack(0));
  const write: Write = ['POST', '/api/baselines', { baselineVersionId: version.id }];
  expect(codeOf(await whileDeleted(suite.id, write))).toEqual([404, 'not_found']);
});
