import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { changed, passed, runOf, siteOf, type Said } from './runs-fixture.ts';

let api: TestApi;
let owner: Account;
let suite: SuiteForViewer;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
});
beforeEach(async () => {
  await api.ctx.db('test_suites').delete();
  suite = await siteOf(api, owner.user, ['/', '/about']);
});
afterAll(() => api.stop());

const open = async (path: string) => String((await api.request('GET', path, { token: owner.token })).body);

const unstable: Said = { ...changed, stability: 'UNSTABLE', screenshots: 6, cut: true };
const settled: Said = { ...changed, stability: 'SETTLED', screenshots: 3 };
const steady: Said = { ...passed, stability: 'AT_ONCE', screenshots: 1 };

describe('how steady a page was', () => {
  it('is told in the list of a run, in the list of the review, and above the screenshots', async () => {
    const run = await runOf(api, suite, { results: { '/': unstable, '/about': settled } });
    const list = await open(`/runs/${run.id}`);
    expect(list).toContain('<span class="shot-note">unstable</span><span class="shot-note">cut off</span>');
    expect(list).toContain('<span class="shot-note">stable after 3 screenshots</span>');
    const review = await open(`/runs/${run.id}/results/${run.resultIds[0]}?panel=notes`);
    expect(review).toContain('<span>unstable</span>');
    expect(review).toContain('<span>stable after 3 screenshots</span>');
    expect(review).toMatch(/The screenshot does not show the whole page\. The rest is not compared\./);
    const other = await open(`/runs/${run.id}/results/${run.resultIds[2]}?panel=notes`);
    expect(other).not.toContain('larger than a screenshot');
  });

  it('is not mentioned where it was steady at once', async () => {
    const run = await runOf(api, suite, { results: { '/': steady } });
    for (const path of [`/runs/${run.id}`, `/runs/${run.id}/results/${run.resultIds[0]}`, `/suites/${suite.id}`]) {
      expect(await open(path)).not.toMatch(/unstable|settled after|Least stable/);
    }
  });

  it('is told as a share in the list of pages, at the page, and for the least stable pages', async () => {
    await runOf(api, suite, { runType: 'MANUAL', results: { '/': unstable, '/about': steady } });
    await runOf(api, suite, { runType: 'MANUAL', results: { '/': steady, '/about': steady } });
    const list = await open(`/suites/${suite.id}`);
    expect(list).toContain('<span class="row-sub">unstable in 1 of 2 at mobile</span>');
    const least = list.split('Least stable pages')[1]?.split('</details>')[0] ?? '';
    const [, href = ''] = /<a href="(\/suites\/[^/]+\/pages\/[^"]+)">\/<\/a>/.exec(least) ?? [];
    expect(least).not.toContain('/about');
    expect(await open(href)).toContain('<span>unstable in 1 of 2 at desktop</span>');
  });
});

describe('selectors that matched nothing', () => {
  it('are told at their rule, as the newest finished run found them', async () => {
    await api.request('PATCH', `/api/test-suites/${suite.id}`, {
      token: owner.token,
      body: {
        config: {
          rules: [
            { paths: ['/'], hide: ['.ad', '.gone'] },
            { paths: ['/about'], mask: ['video'] },
          ],
        },
      },
    });
    const settings = async () => open(`/suites/${suite.id}/settings`);
    const found = (unmatched: string[]) => ({ columns: { unmatched_selectors: JSON.stringify(unmatched) } });
    await runOf(api, suite, { results: { '/': passed }, ...found(['video']) });
    await runOf(api, suite, { results: { '/': passed }, ...found(['.gone', '#unknown']) });
    await runOf(api, suite, { results: { '/': passed }, status: 'RUNNING' });
    expect((await settings()).match(/Matched nothing in the latest run: [^<]*/g)).toEqual([
      'Matched nothing in the latest run: .gone',
    ]);
    await runOf(api, suite, { results: { '/': passed }, ...found([]) });
    expect(await settings()).not.toContain('Matched nothing');
  });
});
