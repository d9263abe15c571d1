import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { lockRun } from '../../src/runs/run-store.ts';
import { worldOf } from '../api/fixture.ts';
import { startTestApi, type TestApi } from '../support/api-client.ts';
import { someoneWaits } from '../support/database.ts';
import { startRun } from '../support/requests.ts';
import { newSuite } from '../support/world.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => {
  await api.stop();
});

it('a request that the database gives up for another may be sent again', async () => {
  const { user, token } = await api.account('owner');
  const suite = await newSuite(worldOf(api), user, ['/']);
  const run = await startRun(api.ctx, user, suite, {});
  const remove = async () => api.request('DELETE', `/api/test-suites/${suite.id}`, { token });
  const other = await api.ctx.db.transaction();
  // Of the two, the request is given up.
  await other.raw("set local deadlock_timeout = '1h'");
  await other('test_suites').where({ id: suite.id }).forUpdate().first('id');
  const removing = remove();
  await someoneWaits(api.ctx.db);
  await lockRun(other, run.id);
  await other.commit();
  const { status, body, headers } = await removing;
  expect([status, body.details.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  expect((await remove()).status).toBe(200);
});

it('a request whose statement takes too long may be sent again', async () => {
  const { user, token } = await api.account('slow');
  const suite = await newSuite(worldOf(api), user, ['/']);
  const other = await api.ctx.db.transaction();
  await other('test_suites').where({ id: suite.id }).forUpdate().first('id');
  const renaming = api.request('PATCH', `/api/test-suites/${suite.id}`, { token, body: { name: 'Slow' } });
  await someoneWaits(api.ctx.db);
  // PostgreSQL gives the same code when the time of a statement is over.
  await other.raw(
    `select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`,
  );
  const { status, body, headers } = await renaming;
  await other.commit();
  expect([status, body.details.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
});
