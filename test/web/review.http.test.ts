import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { decide, shareSuite } from '../support/requests.ts';
import { ledTo, postForm } from '../support/web-form.ts';
import { HOSTILE, paint, paintBelow, reviewRun, suiteOf } from './review-fixture.ts';

const SMALL = { width: 300, height: 200 };

let api: TestApi;
let owner: Account;
let reader: Account;
let stranger: Account;
let suite: Awaited<ReturnType<typeof suiteOf>>;
let run: { id: string; results: Record<string, string> };
beforeAll(async () => {
  api = await startTestApi();
  [owner, reader, stranger] = [await api.account('owner'), await api.account('reader'), await api.account('stranger')];
  suite = await suiteOf(api, owner.user, ['/a', '/b', '/gone']);
  await api.request('POST', `/api/test-suites/${suite.id}/access`, {
    token: owner.token,
    body: { email: reader.user.email, role: 'VIEWER' },
  });
  run = await reviewRun(api, suite, {
    '/a': { baseline: await paint(SMALL), current: await paint(SMALL, [{ x: 10, y: 10 }]) },
    '/b': { current: await paint({ ...SMALL, height: 260 }) },
    '/broken': { error: `It answered 500 ${HOSTILE}` },
  });
});
afterAll(async () => api.stop());

const addressOf = (path: string) => `/runs/${run.id}/results/${run.results[path]}`;
const open = async (address: string, { token }: Partial<Account> = owner, headers: Record<string, string> = {}) =>
  api.request('GET', address, { token, headers: { accept: 'text/html', ...headers } });

describe('the review of a result', () => {
  it('asks for a sign-in first, and comes back', async () => {
    const answer = await open(addressOf('/a'), {});
    expect(ledTo(answer)).toEqual([303, `/sign-in?next=${encodeURIComponent(addressOf('/a'))}`]);
  });

  it('is not there for strangers, nor for ids that are no result of the run', async () => {
    expect((await open(addressOf('/a'), stranger)).status).toBe(404);
    expect((await open(`/runs/${run.id}/results/${randomUUID()}`)).status).toBe(404);
    expect((await open(`/runs/${run.id}/results/no-id`)).status).toBe(404);
    const other = await reviewRun(api, suite, { '/a': { error: 'no' } });
    expect((await open(`/runs/${run.id}/results/${other.results['/a']}`)).status).toBe(404);
  });

  it('offers no decision to those who may only read, and refuses theirs', async () => {
    const { status, body } = await open(addressOf('/a'), reader);
    expect(status).toBe(200);
    expect(body).not.toContain(`/runs/${run.id}/approve`);
    expect((await open(addressOf('/broken'), reader)).body).not.toContain(`/runs/${run.id}/rerun`);
    const fields = { resultIds: run.results['/a'] ?? '', back: addressOf('/b') };
    expect((await postForm(api, `/runs/${run.id}/approve`, fields, reader)).status).toBe(403);
  });

  it('has a size for every screenshot, so that nothing jumps', async () => {
    const { body } = await open(addressOf('/a'));
    const sizes = [...body.matchAll(/<foreignObject y="0" width="(\d+)" height="(\d+)"/g)].map(([, ...size]) => size);
    expect(sizes.length).toBeGreaterThan(4);
    expect(new Set(sizes.map(String))).toEqual(new Set(['300,200']));
    expect(body).not.toMatch(/ style="/);
  });

  it('shows a mode that the screenshots do not allow as what they do', async () => {
    for (const query of ['?mode=swipe', '?mode=nonsense', '?mode=single&show=baseline', '?mode=single&mode=side']) {
      const { status, body } = await open(addressOf('/b') + query);
      expect([status, body.includes('data-mode="single" data-show="current"')]).toEqual([200, true]);
    }
  });

  it('shows screenshots lined up where something moved, and as they are on demand', async () => {
    const inserted = { ...SMALL, height: 900 };
    const { id, results } = await reviewRun(api, suite, {
      '/gone': { baseline: await paint(inserted), current: await paintBelow(inserted, 50) },
    });
    const address = `/runs/${id}/results/${results['/gone']}`;
    const heights = (body: string) =>
      [...body.matchAll(/<foreignObject y="0" width="300" height="(\d+)"/g)].map(([, height]) => Number(height));
    const { body } = await open(address);
    expect(new Set(heights(body))).toEqual(new Set([950]));
    const notes = (await open(`${address}?panel=notes`)).body;
    expect(notes).toMatch(/blocks? moved down \(50 px\)/);
    expect(notes).toContain('50 px taller');
    expect(body).toContain('<rect data-number="1" ');
    const plain = (await open(`${address}?view=plain`)).body;
    expect(new Set(heights(plain))).toEqual(new Set([900, 950]));
    expect(plain).toContain('<g id="comparison-changes-baseline"></g>');
    expect(plain).not.toContain('data-choose-mode="overlay"');
    expect((await open(`${addressOf('/a')}?view=plain`)).body).toContain('data-choose-mode="overlay"');
  });

  it('shows the site itself beside its preview, and which differences both have', async () => {
    const images = {
      baseline: await paint(SMALL),
      current: await paint(SMALL, [
        { x: 10, y: 10 },
        { x: 10, y: 120 },
      ]),
    };
    const { id, results } = await reviewRun(api, suite, { '/a': images });
    const row = api.ctx.db('page_results').where({ test_run_id: id });
    const { currentFile, diffRegions } = await row.clone().first('current_file', 'diff_regions');
    expect(diffRegions).toHaveLength(2);
    const marked = diffRegions.map((region: object, at: number) => ({ ...region, drift: at === 0 }));
    await row.update({
      control_state: 'TAKEN',
      control_file: currentFile,
      drifted: true,
      cause: 'CHANGE',
      diff_regions: JSON.stringify(marked),
    });
    const address = `/runs/${id}/results/${results['/a']}`;
    const { body } = await open(address);
    const notes = async () => (await open(`${address}?panel=notes`)).body;
    expect(await notes()).toContain('shares 1 of 2 differences');
    expect([...body.matchAll(/<rect class="comparison-drift"/g)]).toHaveLength(2);
    expect(body.replaceAll('&#x3D;', '=')).toContain(`href="${address}?view=control"`);
    const site = await open(`${address}?view=control`);
    expect(site.body).toContain('<strong>Site now</strong>');
    expect(site.body).not.toContain('Diff image');
    await row.update({ control_state: 'FAILED', control_file: null, drifted: false });
    const failed = await open(`${address}?view=control`);
    expect(await notes()).toContain('could not be captured for comparison');
    expect(failed.body).toContain('<strong>Baseline</strong>');
  });

  it('folds no band of the site itself, because nobody compared it with its preview', async () => {
    const size = { ...SMALL, height: 900 };
    const images = { baseline: await paint(size), current: await paint(size, [{ x: 10, y: 10 }]) };
    const site = await paint(size, [{ x: 10, y: 700 }]);
    const { id, results } = await reviewRun(api, suite, { '/a': images, '/b': { current: site } });
    const rows = api.ctx.db('page_results').where({ test_run_id: id });
    const { currentFile } = await rows.clone().where({ path: '/b' }).first('current_file');
    await rows.where({ path: '/a' }).update({ control_state: 'TAKEN', control_file: currentFile, drifted: true });
    const folded = `/runs/${id}/results/${results['/a']}?fold=unchanged`;
    expect((await open(folded)).body).toContain('px unchanged');
    const { body } = await open(`${folded}&view=control`);
    expect(body).toContain('<strong>Site now</strong>');
    expect([body.includes('px unchanged'), body.includes('Only what differs')]).toEqual([false, false]);
  });

  it('hatches what was not compared, and says so', async () => {
    const { id, results } = await reviewRun(api, suite, {
      '/a': { baseline: await paint(SMALL), current: await paint(SMALL, [{ x: 10, y: 10 }]) },
    });
    const address = `/runs/${id}/results/${results['/a']}`;
    expect((await open(address)).body).not.toContain('Ignored areas');
    const ignored_boxes = JSON.stringify([{ x: 1, y: 2, width: 30, height: 40 }]);
    await api.ctx.db('page_results').where({ test_run_id: id }).update({ ignored_boxes });
    const { body } = await open(address);
    expect(body).toContain('Ignored areas');
    expect(body.match(/<rect x="1" y="2" width="30" height="40" fill="url\(#comparison-hatch\)"\/>/g)).toHaveLength(2);
  });

  it('says what went wrong, escaped, and offers to try again', async () => {
    const { body } = await open(addressOf('/broken'));
    expect(body).toContain('It answered 500 &lt;script&gt;');
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('name="path" value="/broken"');
  });

  it('says so when the storage has lost a screenshot', async () => {
    const lost = `suites/${suite.id}/${'ab'.repeat(32)}.png`;
    const { id, results } = await reviewRun(api, suite, { '/a': { current: await paint(SMALL) } });
    await api.ctx.db('page_results').where({ test_run_id: id }).update({ current_file: lost });
    const { status, body } = await open(`/runs/${id}/results/${results['/a']}`);
    expect([status, body.includes('No longer in storage: current screenshot')]).toEqual([200, true]);
  });

  it('approves nothing in a list while the storage has lost a screenshot that was ticked', async () => {
    const shot = { current: await paint(SMALL) };
    const { id, results } = await reviewRun(api, suite, { '/a': shot, '/b': shot });
    const lost = `suites/${suite.id}/${'ab'.repeat(32)}.png`;
    await api.ctx.db('page_results').where({ test_run_id: id, path: '/b' }).update({ current_file: lost });
    const ticked = { resultIds: Object.values(results) };
    const { status, body } = await postForm(api, `/runs/${id}/approve`, ticked, { token: owner.token });
    expect(status).toBe(409);
    expect(body).toContain('The screenshot of /b at desktop is no longer in storage');
    const approved = await api.ctx.db('page_results').where({ test_run_id: id, approved: true });
    expect(approved).toEqual([]);
  });

  it('offers no approval of a screenshot that the storage has lost, and says so beside the baseline', async () => {
    const { id, results } = await reviewRun(api, suite, {
      '/a': { baseline: await paint(SMALL), current: await paint(SMALL, [{ x: 10, y: 10 }]) },
    });
    const address = `/runs/${id}/results/${results['/a']}`;
    expect((await open(address)).body).toContain(`action="/runs/${id}/approve"`);
    const lost = `suites/${suite.id}/${'ab'.repeat(32)}.png`;
    await api.ctx.db('page_results').where({ test_run_id: id }).update({ current_file: lost });
    const { body } = await open(address);
    expect(body).toContain('<strong>Baseline</strong>');
    expect(body).toContain('No longer in storage: current screenshot');
    expect(body).not.toContain(`action="/runs/${id}/approve"`);
  });

  it('answers htmx with the part that changes, and with parts of the list', async () => {
    const htmx = { 'hx-request': 'true' };
    const main = await open(addressOf('/a'), owner, htmx);
    expect(main.body).toContain('<title>/a at desktop');
    expect(main.body).not.toContain('<html');
    const rows = await open(`${addressOf('/a')}?list=1`, owner, htmx);
    expect(rows.body.match(/data-stop=/g)).toHaveLength(2);
    expect(rows.body).not.toContain('review-main');
  });

  it('narrows the list to the filter of its address, and keeps it on the way', async () => {
    const { body } = await open(`${addressOf('/a')}?search=B`);
    expect(body.match(/<a class="result-row"/g)).toHaveLength(2);
    expect(body).toContain(`href="${addressOf('/b')}?search&#x3D;B"`);
    expect(body).toContain('Not in this list');
  });

  it('leads an approval on to the next that is not approved, and to the run after the last', async () => {
    const { id, results } = await reviewRun(api, suite, {
      '/a': { baseline: await paint(SMALL), current: await paint(SMALL, [{ x: 50, y: 50 }]) },
      '/b': { current: await paint({ ...SMALL, height: 261 }) },
    });
    const at = (path: string) => `/runs/${id}/results/${results[path]}`;
    const backOf = (body: string) => /review-approve[^]*?name="back" value="([^"]*)"/.exec(body)?.[1] ?? '';
    const first = backOf((await open(at('/a'))).body);
    expect(first).toBe(at('/b'));
    const fields = { resultIds: results['/a'] ?? '', back: first };
    expect(ledTo(await postForm(api, `/runs/${id}/approve`, fields, owner))).toEqual([303, at('/b')]);
    expect(backOf((await open(at('/b'))).body)).toBe(`/runs/${id}`);
    expect((await open(`${at('/a')}?panel=notes`)).body).toContain('Approved by owner');
  });

  it('refuses a decision that another site sends', async () => {
    const headers = { origin: 'https://evil.example', cookie: `pixelgate_session=${owner.token}` };
    const fields = { resultIds: run.results['/a'] ?? '', back: '/' };
    expect((await postForm(api, `/runs/${run.id}/approve`, fields, { headers })).status).toBe(403);
  });
});

describe('what is written about a result', () => {
  const most = 'x'.repeat(999) + '\n' + 'y'.repeat(1000);
  /** As a browser sends it. */
  const sent = most.replaceAll('\n', '\r\n');

  it('may be as long as its field lets it be, with lines', async () => {
    const fields = { body: sent, resultId: run.results['/a'] ?? '', back: addressOf('/a') };
    expect(ledTo(await postForm(api, `/runs/${run.id}/comments`, fields, owner))).toEqual([303, addressOf('/a')]);
    expect(await api.ctx.db('comments').where({ test_run_id: run.id }).select('body')).toEqual([{ body: most }]);
    await api.ctx.db('comments').delete();
  });

  it('is shown where it is refused', async () => {
    const inFlight = await reviewRun(api, suite, { '/a': { error: 'no' } }, { status: 'RUNNING', ended_at: null });
    const fields = { resultIds: inFlight.results['/a'] ?? '', note: 'The <b>band</b> is too pale' };
    const { status, body } = await postForm(api, `/runs/${inFlight.id}/request-changes`, fields, owner);
    expect([status, body.includes('The &lt;b&gt;band&lt;/b&gt; is too pale')]).toEqual([409, true]);
  });

  it('is all there, however much it is', async () => {
    const { id } = await reviewRun(api, suite, { '/a': { error: 'no' } });
    const comments = Array.from({ length: 250 }, (_, at) => ({ test_run_id: id, body: `Comment number ${at}.` }));
    await api.ctx.db('comments').insert(comments);
    expect((await open(`/runs/${id}`)).body).toContain('Comment number 249.');
  });
});

async function newReviewer(): Promise<Account> {
  const account = await api.account('reviewer');
  await shareSuite(api.ctx, owner.user, suite, { userId: account.user.id, role: 'REVIEWER' });
  return account;
}

describe('a screenshot that passed with few pixels changed', () => {
  const screenshots = async () => ({
    '/b': { baseline: await paint(SMALL), current: await paint(SMALL, [{ x: 10, y: 10 }]), within: true },
  });

  it('can be made the baseline by a reviewer', async () => {
    const { id, results } = await reviewRun(api, suite, await screenshots());
    const address = `/runs/${id}/results/${results['/b']}`;
    expect((await open(address)).body).toContain(`${address}/promote`);
    const fields = { note: 'as we want it', back: address };
    expect(ledTo(await postForm(api, `${address}/promote`, fields, owner))).toEqual([303, address]);
    const made = await api.ctx.db('baseline_versions').where({ page_result_id: results['/b'] });
    expect(made).toMatchObject([{ source: 'API', note: 'as we want it', version: 2, approvedBy: owner.user.id }]);
    expect((await open(address)).body).not.toContain(`${address}/promote`);
  });

  it('is not made the baseline when the storage has lost it', async () => {
    const { id, results } = await reviewRun(api, suite, await screenshots());
    const address = `/runs/${id}/results/${results['/b']}`;
    const lost = `suites/${suite.id}/${'ef'.repeat(32)}.png`;
    await api.ctx.db('page_results').where({ id: results['/b'] }).update({ current_file: lost });
    const { status, body } = await postForm(api, `${address}/promote`, { back: address }, owner);
    expect([status, body.includes('The screenshot of /b at desktop is no longer in storage')]).toEqual([409, true]);
    expect(await api.ctx.db('baseline_versions').where({ page_result_id: results['/b'] })).toEqual([]);
  });

  it('is not made the baseline over what somebody else has asked since the page was opened', async () => {
    const { id, results } = await reviewRun(api, suite, await screenshots());
    const [address, resultIds] = [`/runs/${id}/results/${results['/b']}`, [results['/b'] ?? '']];
    const seen = /\/promote"[^]*?name="seen" value="(\d+)"/.exec((await open(address)).body)?.[1];
    const other = await newReviewer();
    await decide(api.ctx, other.user, id, { decision: 'request_changes', note: 'Not like this', resultIds });
    const refused = await postForm(api, `${address}/promote`, { seen: seen ?? '0', back: address }, owner);
    expect([refused.status, refused.body.includes('Not like this')]).toEqual([409, true]);
    expect(await api.ctx.db('baseline_versions').where({ page_result_id: results['/b'] })).toEqual([]);
    expect(ledTo(await postForm(api, `${address}/promote`, { seen: '1', back: address }, owner))).toEqual([
      303,
      address,
    ]);
  });

  it('is nothing for those who may only read, nor under another run', async () => {
    const { id, results } = await reviewRun(api, suite, await screenshots());
    const address = `/runs/${id}/results/${results['/b']}`;
    expect((await open(address, reader)).body).not.toContain('/promote');
    expect((await postForm(api, `${address}/promote`, {}, reader)).status).toBe(403);
    expect((await postForm(api, `${address}/promote`, {}, stranger)).status).toBe(404);
    const elsewhere = `/runs/${run.id}/results/${results['/b']}/promote`;
    expect((await postForm(api, elsewhere, {}, owner)).status).toBe(404);
    expect((await postForm(api, `${address}/promote`, { note: 'x'.repeat(5000) }, owner)).status).toBe(400);
    expect(await api.ctx.db('baseline_versions').where({ page_result_id: results['/b'] })).toEqual([]);
  });
});
