import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { numberRuns } from '../support/number-runs.ts';
import { ledTo, postForm } from '../support/web-form.ts';
import { HOSTILE, pageId, paint, reviewRun, suiteOf, version } from './review-fixture.ts';

let api: TestApi;
let owner: Account;
let reader: Account;
let stranger: Account;
let suite: Awaited<ReturnType<typeof suiteOf>>;
let versions: { id: string; file: string }[];
let page: string;
let empty: string;
beforeAll(async () => {
  api = await startTestApi();
  [owner, reader, stranger] = [await api.account('owner'), await api.account('reader'), await api.account('stranger')];
  suite = await suiteOf(api, owner.user, ['/a', '/b']);
  await api.request('POST', `/api/test-suites/${suite.id}/access`, {
    token: owner.token,
    body: { email: reader.user.email, role: 'VIEWER' },
  });
  versions = [];
  for (let at = 0; at < 33; at += 1) {
    const said = at === 0 ? {} : { by: owner.user.id, note: `Because ${HOSTILE}` };
    versions.push(await version(api, suite, '/a', await paint({ width: 300, height: 200 + at * 60 }), said));
  }
  page = `/suites/${suite.id}/pages/${await pageId(api, suite, '/a')}`;
  empty = `/suites/${suite.id}/pages/${await pageId(api, suite, '/b')}`;
});
afterAll(async () => api.stop());

const open = async (address: string, { token }: Partial<Account> = owner) =>
  api.request('GET', address, { token, headers: { accept: 'text/html' } });
const idOf = (number: number) => versions[number - 1]?.id ?? '';
const shownVersions = (body: string) => [...body.matchAll(/<li id="version-/g)].length;

describe('the page of a page', () => {
  it('asks for a sign-in, and is not there for strangers or for pages of other suites', async () => {
    expect(ledTo(await open(page, {}))).toEqual([303, `/sign-in?next=${encodeURIComponent(page)}`]);
    expect((await open(page, stranger)).status).toBe(404);
    expect((await open(`/suites/${suite.id}/pages/${randomUUID()}`)).status).toBe(404);
  });

  it('shows the current baseline and the history in parts, newest first', async () => {
    const { body } = await open(page);
    expect(body).toContain('<strong>desktop</strong> version 33');
    expect(shownVersions(body)).toBe(33);
    expect(body).toContain(`compare?from&#x3D;${idOf(32)}&amp;to&#x3D;${idOf(33)}`);
    expect(body).not.toContain('<script>alert');
    expect(shownVersions((await open(`${page}?page=2`)).body)).toBe(0);
    expect(shownVersions((await open(`${page}?viewport=mobile`)).body)).toBe(0);
  });

  it('has the results of runs in the same line of time, unstable ones marked, and a chart of their differences', async () => {
    for (const diff of [0, 4.2]) {
      const status = diff > 0 ? 'FAIL' : 'PASS';
      const result = { status, cause: diff > 0 ? 'CHANGE' : null, diff_score: diff, stability: 'UNSTABLE' };
      const run = { test_suite_id: suite.id, target_base_url: suite.origin, config: '{}', status: 'COMPLETED' };
      const [row] = await api.ctx
        .db('test_runs')
        .insert(await numberRuns(api.ctx.db, [run]))
        .returning('id');
      const at = { test_run_id: row?.id, position: 0, url: `${suite.origin}/a`, path: '/a', viewport: 'desktop' };
      await api.ctx.db('page_results').insert({ ...at, ...result });
    }
    const { body } = await open(page);
    expect(body).toMatch(/<h3><a href="[^"]*\/results\/[^"]*">Result in run #2<\/a>/);
    expect(body).toMatch(/4\.20% different, unstable/);
    expect(body).toContain('desktop: different in 1 of 2 runs, at most 4.20%');
    expect(body).toContain('Compare with previous');
    const table = /<tbody>(.*?)<\/tbody>/s.exec(body)?.[1] ?? '';
    expect([...table.matchAll(/<tr><th scope="row">(#\d+).*?<td>.*?([\d.]+%)/gs)].map(([, ...row]) => row)).toEqual([
      ['#2', '4.20%'],
      ['#1', '0%'],
    ]);
  });

  it('reaches back to the first entry, in pages, each with the chart of its time', async () => {
    const long = await suiteOf(api, owner.user, ['/long']);
    await version(api, long, '/long', await paint({ width: 300, height: 200 }));
    await api.ctx.db.raw(
      `with runs as (
         insert into test_runs (test_suite_id, owner_id, number, target_base_url, config, status, created_at)
         select :suite, :owner, n, :origin, '{}', 'COMPLETED', now() + n * interval '1 hour' from generate_series(1, 100) n
         returning id
       )
       insert into page_results (test_run_id, position, url, path, viewport, status, diff_score)
       select id, 0, :origin || '/long', '/long', 'desktop', 'PASS', 0 from runs`,
      { suite: long.id, owner: long.userId, origin: long.origin },
    );
    const address = `/suites/${long.id}/pages/${await pageId(api, long, '/long')}`;
    const part = async (number: number) => {
      const { body } = await open(`${address}?page=${number}`);
      const runs = [...body.matchAll(/Result in run #(\d+)<\/a>/g)].map(([, run]) => Number(run));
      return { runs, versions: shownVersions(body), chart: /different in \d+ of (\d+) runs/.exec(body)?.[1] };
    };
    const [first, second, third] = [await part(1), await part(2), await part(3)];
    expect([first.runs.length, first.runs[0], first.versions, first.chart]).toEqual([40, 100, 0, '60']);
    expect([second.runs.length, second.runs[0], second.versions, second.chart]).toEqual([40, 60, 0, '60']);
    expect([third.runs.length, third.runs[0], third.versions, third.chart]).toEqual([20, 20, 1, '20']);
    expect((await open(`${address}?page=9`)).body).toContain('Show the whole history');
  });

  it('says what to do where there is no baseline yet', async () => {
    expect((await open(empty)).body).toContain('No baseline yet');
  });
});

describe('a comparison of two screenshots', () => {
  it('shows both with what differs, and can be turned round', async () => {
    const { status, body } = await open(`${page}/compare?from=${idOf(1)}&to=${idOf(3)}`);
    expect(status).toBe(200);
    expect(body).toContain('120 px taller');
    expect(body).toContain(`compare?from&#x3D;${idOf(3)}&amp;to&#x3D;${idOf(1)}`);
    const same = await open(`${page}/compare?from=${idOf(2)}&to=${idOf(2)}`);
    expect(same.body).toContain('No differences');
  });

  it('says that one is lost, and asks nobody to try again', async () => {
    const from = await version(api, suite, '/lost', await paint({ width: 310, height: 200 }));
    const to = await version(api, suite, '/lost', await paint({ width: 310, height: 260 }));
    await api.ctx.storage.removeOlder(from.file, new Date(Date.now() + 60_000));
    const { status, body, headers } = await open(`${page}/compare?from=${from.id}&to=${to.id}`);
    expect([status, headers.get('retry-after')]).toEqual([409, null]);
    expect(body).toContain('The screenshot of version 1 is no longer in storage');
    expect(body).not.toContain('Try again');
  });

  it('shows results as well, of other pages and viewports, and no others than those of this suite', async () => {
    const resultOf = async (of: typeof suite, currentFile: string | null): Promise<string> => {
      const run = { test_suite_id: of.id, target_base_url: of.origin, config: '{}', status: 'COMPLETED' };
      const [row] = await api.ctx
        .db('test_runs')
        .insert(await numberRuns(api.ctx.db, [run]))
        .returning('id');
      const at = { test_run_id: row?.id, position: 0, url: `${of.origin}/b`, path: '/b', viewport: 'mobile' };
      const result = { ...at, status: 'PASS', current_file: currentFile };
      const [inserted] = await api.ctx.db('page_results').insert(result).returning('id');
      return `result-${inserted?.id}`;
    };
    const elsewhere = await suiteOf(api, owner.user, ['/b']);
    const { file } = await version(api, suite, '/c', await paint({ width: 300, height: 260 }));
    const [own, foreign, blind] = [
      await resultOf(suite, file),
      await resultOf(elsewhere, file),
      await resultOf(suite, null),
    ];
    for (const _ of ['drawn', 'kept']) {
      const { status, body } = await open(`${page}/compare?from=${idOf(1)}&to=${own}&with=/b`);
      expect(status).toBe(200);
      expect(body).toContain('60 px taller');
      expect(body).toMatch(/\/b, mobile, run #\d+/);
    }
    for (const id of [foreign, blind]) {
      expect((await open(`${page}/compare?from=${idOf(1)}&to=${id}`)).status).toBe(404);
    }
  });

  it('suggests two when they are not named, and knows screenshots of this suite alone', async () => {
    const suggested = await open(`${page}/compare`);
    expect([suggested.status, suggested.body.includes('desktop, version 33</option>')]).toEqual([200, true]);
    expect((await open(`${page}/compare?from=x&to=${idOf(1)}`)).status).toBe(200);
    expect((await open(`${empty}/compare`)).body).toContain('There is nothing to compare yet');
    expect((await open(`${page}/compare?with=/nowhere`)).body).toContain('No screenshots of /nowhere');
    const other = await version(api, suite, '/b', await paint({ width: 300, height: 190 }));
    const { body } = await open(`${page}/compare?from=${other.id}&to=${idOf(1)}&with=/b`);
    expect(body).toContain('>/b, desktop, version 1</option>');
    const elsewhere = await suiteOf(api, owner.user, ['/a']);
    const foreign = await version(api, elsewhere, '/a', await paint({ width: 300, height: 190 }));
    expect((await open(`${page}/compare?from=${foreign.id}&to=${idOf(1)}`)).status).toBe(404);
    expect((await open(`${page}/compare?from=${idOf(1)}&to=${idOf(2)}`, stranger)).status).toBe(404);
  });
});

describe('making an old version current', () => {
  const restore = async (fields: Record<string, string>, account: Partial<Account> = owner, headers = {}) =>
    postForm(api, `${page}/restore`, fields, { token: account.token, headers });

  it('is not offered to those who may only read, and refused', async () => {
    expect((await open(page, reader)).body).not.toContain(`${page}/restore`);
    expect((await restore({ baselineVersionId: idOf(2) }, reader)).status).toBe(403);
    expect((await restore({ baselineVersionId: idOf(2) }, {}, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('is refused with what is wrong, and changes nothing', async () => {
    expect((await restore({ baselineVersionId: 'no id' })).status).toBe(400);
    expect((await restore({ baselineVersionId: randomUUID() })).status).toBe(404);
    const other = await version(api, suite, '/b', await paint({ width: 300, height: 180 }));
    expect((await restore({ baselineVersionId: other.id })).status).toBe(404);
    expect((await open(page)).body).toContain('<strong>desktop</strong> version 33');
  });

  it('adds a version with its screenshot', async () => {
    expect(ledTo(await restore({ baselineVersionId: idOf(2), note: 'As it was' }))).toEqual([303, page]);
    const { body } = await open(page);
    expect(body).toContain('<strong>desktop</strong> version 34');
    expect(body).toContain('As it was');
  });

  it('is refused if another version has become current since the page was shown, and shows the page as it is', async () => {
    const { body: shown } = await open(page);
    const [, replaces = ''] = /name="replaces" value="([^"]+)"/.exec(shown) ?? [];
    await version(api, suite, '/a', await paint({ width: 300, height: 90 }));
    const { status, body } = await restore({ baselineVersionId: idOf(2), replaces });
    expect(status).toBe(409);
    expect(body).toContain('Version 35 is now the baseline at desktop');
    expect(body).toContain('<strong>desktop</strong> version 35');
    const [, now = ''] = /name="replaces" value="([^"]+)"/.exec(body) ?? [];
    expect(ledTo(await restore({ baselineVersionId: idOf(2), replaces: now }))).toEqual([303, page]);
  });
});

describe('baselines that differ only because of the browser', () => {
  it('are renewed from the run that the page announced, and from no other one', async () => {
    const own = await suiteOf(api, owner.user, ['/a']);
    const run = async () => {
      const size = { width: 300, height: 200 };
      const pair = { baseline: await paint(size), current: await paint(size, [{ x: 10, y: 10 }]) };
      const { id } = await reviewRun(api, own, { '/a': pair }, { run_type: 'MANUAL' });
      await api.ctx.db('page_results').where({ test_run_id: id }).update({ cause: 'ENGINE' });
      return id;
    };
    const announced = async () => {
      const { body } = await open(`/suites/${own.id}`);
      const form = String(body).split('renew-baselines"')[1]?.split('</form>')[0] ?? '';
      return [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']): [string, string] => [
        name,
        value,
      ]);
    };
    const first = await run();
    const shown = await announced();
    expect(shown).toEqual([
      ['runId', first],
      ['which', expect.stringMatching(/^[0-9a-f]{32}$/)],
    ]);
    const second = await run();
    const renew = async (fields: [string, string][]) =>
      postForm(api, `/suites/${own.id}/renew-baselines`, fields, owner);
    const stale = await renew(shown);
    expect([stale.status, stale.body]).toEqual([409, expect.stringContaining('Look at them again')]);
    expect(ledTo(await renew(await announced()))).toEqual([303, `/suites/${own.id}`]);
    const made = await api.ctx.db('baseline_versions').where({ test_suite_id: own.id }).whereNotNull('test_run_id');
    expect(made).toMatchObject([{ testRunId: second, approvedBy: owner.user.id }]);
  });
});
