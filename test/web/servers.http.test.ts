import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { ledTo, postForm } from '../support/web-form.ts';
import { changed, runOf, siteOf, type Said } from './runs-fixture.ts';

let api: TestApi;
let owner: Account;
let reader: Account;
let suite: SuiteForViewer;
beforeAll(async () => {
  api = await startTestApi();
  [owner, reader] = [await api.account('owner'), await api.account('reader')];
});
beforeEach(async () => {
  suite = await siteOf(api, owner.user, ['/']);
  const body = { email: reader.user.email, role: 'VIEWER' };
  await api.request('POST', `/api/test-suites/${suite.id}/access`, { token: owner.token, body });
});
afterAll(() => api.stop());

const open = async (path: string, { token } = owner) => String((await api.request('GET', path, { token })).body);

const inDoubt = { ...changed, cause: 'CHANGE', control_state: 'TAKEN', drifted: true, servers: 'MAYBE_ONE' };

async function runIn(result: Said) {
  const run = await runOf(api, suite, { columns: { target_base_url: 'http://alias.test/' }, results: { '/': result } });
  return { ...run, address: `/runs/${run.id}/results/${run.resultIds[0]}` };
}

const known = async () =>
  (await api.ctx.db('test_suites').where({ id: suite.id }).first('different_servers')).differentServers;

describe('a difference that may be of one server', () => {
  it('says so on the pages of its run and its result, with the button that settles it', async () => {
    const { id, address } = await runIn(inDoubt);
    const run = await open(`/runs/${id}`);
    expect(run).toContain('The site looks like the preview in 2 screenshots. Nothing shows that');
    const review = await open(`${address}?panel=notes`);
    expect(review).toContain('The site looks the same now. Nothing shows that');
    expect(review).not.toContain('The site itself has also changed');
    for (const page of [run, review]) expect(page).toContain('These are different servers');
    const asReader = await open(`${address}?panel=notes`, reader);
    expect(asReader).toContain('The site looks the same now.');
    expect(asReader).not.toContain('These are different servers');
  });

  it('is settled by a form that works without scripts, and unsettled at what has drifted since', async () => {
    const { id, address } = await runIn(inDoubt);
    const fields = { differ: 'true', back: address };
    expect(ledTo(await postForm(api, `/runs/${id}/servers`, fields, owner))).toEqual([303, address]);
    expect(await known()).toEqual(['http://alias.test']);
    expect(await open(address)).toContain('Re-evaluating');
    await api.ctx.db('page_results').where({ test_run_id: id }).update({ cause: 'DRIFT', servers: null });
    const drifted = await open(`${address}?panel=notes`);
    expect(drifted).toContain('Someone said that the preview and the site are different servers.');
    expect(drifted).toContain('These may be one server');
    await postForm(api, `/runs/${id}/servers`, { differ: 'false', back: address }, owner);
    expect(await known()).toEqual([]);
  });

  it('is settled over the API, which tells of it', async () => {
    const { id } = await runIn(inDoubt);
    const { token } = owner;
    const { body } = await api.request('GET', `/api/test-runs/${id}`, { token });
    expect(body.pageResults[0]).toMatchObject({ cause: 'CHANGE', servers: 'MAYBE_ONE' });
    for (let times = 0; times < 2; times += 1) {
      const said = await api.request('POST', `/api/test-runs/${id}/different-servers`, { token });
      expect([said.status, said.body]).toEqual([200, { message: 'The preview and the site are different servers' }]);
    }
    expect(await known()).toEqual(['http://alias.test']);
    const back = await api.request('DELETE', `/api/test-runs/${id}/different-servers`, { token });
    expect([back.status, await known()]).toEqual([200, []]);
  });

  it('is no question where the page is not steady', async () => {
    const { address } = await runIn({ ...inDoubt, servers: null, stability: 'UNSTABLE' });
    expect(await open(`${address}?panel=notes`)).toContain(
      'The page does not look the same each time, so the site cannot show whether',
    );
  });
});
