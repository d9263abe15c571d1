import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { cookieSet, ledTo, postForm } from '../support/web-form.ts';
import { changedClock, changedRun, judge, type ChangedRun } from './ignore-fixture.ts';

const HTMX = { 'hx-request': 'true' };

const NOTICE = 'pixelgate_notice';

let api: TestApi;
let owner: Account;
let reader: Account;
beforeAll(async () => {
  api = await startTestApi();
  [owner, reader] = [await api.account('owner'), await api.account('reader')];
});
afterAll(async () => api.stop());

/** A suite of the owner that the reader may read. */
async function shareWithReader({ suite }: ChangedRun): Promise<void> {
  const body = { email: reader.user.email, role: 'VIEWER' };
  await api.request('POST', `/api/test-suites/${suite.id}/access`, { token: owner.token, body });
}

async function newChange(): Promise<ChangedRun> {
  const changed = await changedRun(api, owner);
  await shareWithReader(changed);
  return changed;
}

const open = async (address: string, { token }: Account = owner, headers: Record<string, string> = {}) =>
  api.request('GET', address, { token, headers: { accept: 'text/html', ...headers } });

describe('ignoring a very change', () => {
  it('is offered to reviewers, and says that the run is judged again until it is', async () => {
    const changed = await newChange();
    const { address } = changed;
    expect((await open(address)).body).toContain(`href="${address}?panel&#x3D;ignore"`);
    expect((await open(`${address}?panel=ignore`)).body).toContain(`action="${address}/ignore-change"`);
    expect((await open(`${address}?panel=ignore`, reader)).body).not.toContain('/ignore-change');
    const fields = { expires: '30', note: 'a rotating quote', back: address };
    expect(ledTo(await postForm(api, `${address}/ignore-change`, fields, owner))).toEqual([303, address]);
    const meanwhile = await open(address);
    expect(meanwhile.body).toContain('Re-evaluating');
    expect(meanwhile.body).toContain(`hx-get="${address}?judging&#x3D;wait"`);
    expect((await open(`${address}?judging=wait`, owner, HTMX)).status).toBe(200);
    await judge(api, changed);
    const after = await open(`${address}?judging=wait`, owner, HTMX);
    expect([after.status, after.headers.get('hx-redirect')]).toEqual([204, address]);
    const { body } = await open(`${address}?panel=notes`);
    expect(body).toMatch(/Not counted:<\/strong> this change is ignored since .* by owner, until .*a rotating quote/);
    expect(body).not.toContain(`action="/runs/${changed.run.id}/approve"`);
  });

  it('is refused when the storage has lost the screenshot', async () => {
    const { address, run, suite } = await newChange();
    const lost = `suites/${suite.id}/${'ab'.repeat(32)}.png`;
    await api.ctx.db('page_results').where({ test_run_id: run.id }).update({ current_file: lost });
    const { status, body } = await postForm(api, `${address}/ignore-change`, { back: address }, owner);
    expect([status, body.includes('The screenshot of /a at desktop is no longer in storage')]).toEqual([409, true]);
    expect(await api.ctx.db('ignored_changes').where({ test_suite_id: suite.id })).toEqual([]);
  });

  it('refuses a time that is not offered', async () => {
    const { address } = await newChange();
    expect((await postForm(api, `${address}/ignore-change`, { expires: '1' }, owner)).status).toBe(400);
  });

  it('is listed with its uses until it is revoked', async () => {
    const changed = await newChange();
    const { address, suite } = changed;
    await postForm(api, `${address}/ignore-change`, { note: 'a rotating quote' }, owner);
    await judge(api, changed);
    const list = `/suites/${suite.id}/ignored-changes`;
    const { body } = await open(list);
    expect(body).toMatch(/a rotating quote[^]*until revoked[^]*Used 1 time/);
    expect((await open(list, reader)).body).not.toContain('/revoke');
    const revoke = /action="([^"]*\/revoke)"/.exec(body)?.[1] ?? '';
    expect(ledTo(await postForm(api, revoke, {}, owner))).toEqual([303, list]);
    expect((await open(list)).body).toContain('None. To ignore a change');
    await judge(api, changed);
    expect((await open(address)).body).toContain(`action="/runs/${changed.run.id}/approve"`);
    expect((await open(`${list}?page=3`)).status).toBe(303);
  });
});

describe('ignoring an area', () => {
  const rulesOf = async ({ suite }: Pick<ChangedRun, 'suite'>) =>
    (await api.ctx.db('test_suites').where({ id: suite.id }).first('config'))?.config.rules;

  it('offers the element and the box of each change, and makes a rule of the chosen one', async () => {
    const changed = await changedClock(api, owner);
    const { address, run } = changed;
    const { body } = await open(`${address}?panel=ignore`);
    expect(body).toMatch(/name="area" value="element #clock" data-number="1">.*Change 1: element #clock</);
    expect(body).toMatch(/name="area" value="box 10,10,180,60" data-number="1">.*box of 180 × 60 px at 10, 10</);
    const fields = { area: 'element #clock', back: address };
    expect(ledTo(await postForm(api, `${address}/ignore-area`, fields, owner))).toEqual([303, address]);
    expect(await rulesOf(changed)).toEqual([{ paths: ['/a', '!/a/?*'], viewports: ['desktop'], ignore: ['#clock'] }]);
    await judge(api, changed);
    expect((await open(`${address}?panel=notes`)).body).toContain(
      'all differences are in areas that this suite ignores',
    );
    expect(await api.ctx.db('test_runs').where({ id: run.id }).first('review_state')).toEqual({
      reviewState: 'NOT_REQUIRED',
    });
  });

  it('is listed once for its pages until an editor removes it, unless the repository sets it', async () => {
    const { suite } = await newChange();
    const box = { x: 1, y: 2, width: 30, height: 40 };
    const rule = { paths: ['/a', '!/a/?*'], viewports: ['desktop'], ignore: ['.ad'] };
    const config = JSON.stringify({
      rules: [rule, { ...rule, ignoreBoxes: [box] }, { paths: ['**'], mask: ['.map'] }],
    });
    await api.ctx.db('test_suites').where({ id: suite.id }).update({ config });
    const list = `/suites/${suite.id}/ignored-changes`;
    const { body } = await open(list);
    expect(body.match(/<code>\.ad<\/code>\s*<span class="row-sub">On \/a at desktop</g)).toHaveLength(1);
    expect(body).toContain('30 × 40 px at 1, 2');
    expect(body).not.toContain('.map');
    const action = `/suites/${suite.id}/ignored-areas/remove`;
    expect((await open(list, reader)).body).toContain('<code>.ad</code>');
    expect((await open(list, reader)).body).not.toContain(action);
    const remove = async (area: object) => postForm(api, action, { area: JSON.stringify(area) }, owner);
    expect((await remove({ paths: [] })).status).toBe(400);
    expect(ledTo(await remove(rule))).toEqual([303, list]);
    expect(await rulesOf({ suite })).toEqual([
      { paths: rule.paths, viewports: rule.viewports, ignoreBoxes: [box] },
      { paths: ['**'], mask: ['.map'] },
    ]);
    const file = { blobSha: null, lines: { rules: 7 }, branch: 'main', url: 'https://x/f', problem: null, readAt: '' };
    await api.ctx
      .db('test_suites')
      .where({ id: suite.id })
      .update({ config_file: JSON.stringify(file) });
    const locked = (await open(list)).body;
    expect(locked).toContain('href="https://x/f#L7"');
    expect(locked).not.toContain(action);
    expect((await remove({ ...rule, ignore: undefined, ignoreBoxes: [box] })).status).toBe(409);
  });

  it('adds to the rule that ignores at the same place, and knows a box only once', async () => {
    const changed = await newChange();
    const post = async (area: string) =>
      postForm(api, `${changed.address}/ignore-area`, { area, where: 'every' }, owner);
    for (const area of ['box 1,2,3,4', 'element .ad', 'box 1,2,3,4', 'box 5,6,7,8']) await post(area);
    const box = { x: 1, y: 2, width: 3, height: 4 };
    const ignoreBoxes = [box, { x: 5, y: 6, width: 7, height: 8 }];
    expect(await rulesOf(changed)).toEqual([{ paths: ['**'], ignore: ['.ad'], ignoreBoxes }]);
  });

  it('says where it is ignored, moves that to all pages, and takes it back', async () => {
    const changed = await changedClock(api, owner);
    const post = async (fields: Record<string, string>) => {
      const answer = await postForm(
        api,
        `${changed.address}/ignore-area`,
        { area: 'element #clock', ...fields },
        owner,
      );
      return decodeURIComponent(cookieSet(answer, NOTICE) ?? '');
    };
    expect(await post({})).toContain('#clock is ignored only on /a at desktop.');
    expect(await post({ where: 'every', what: 'move' })).toContain('#clock is ignored on all pages at all viewports.');
    expect(await rulesOf(changed)).toEqual([{ paths: ['**'], ignore: ['#clock'] }]);
    expect(await post({ where: 'every', what: 'undo' })).toContain('It is no longer ignored on all pages');
    expect(await rulesOf(changed)).toEqual([]);
  });

  it.each(['', 'element ', 'element p:hover', 'box 1,2,0,4', 'box 1,2,3', 'everything'])('refuses %p', async (area) => {
    const changed = await newChange();
    const { status } = await postForm(api, `${changed.address}/ignore-area`, { area }, owner);
    expect([status, await rulesOf(changed)]).toEqual([400, undefined]);
  });
});

describe('a difference that does not count', () => {
  it.each([
    ['ENGINE', 'captured with a different browser'],
    ['DRIFT', 'the site itself looks the same now'],
    ['BEHIND', 'The page looks like version 7, before #12.'],
    ['FROM_PULL_REQUEST', 'the change is from #12'],
    ['IGNORED', 'was ignored when the run was evaluated'],
  ] as const)('says why for %s, and counts when a reviewer says so', async (cause, words) => {
    const { run, address } = await newChange();
    await api.ctx
      .db('page_results')
      .where({ test_run_id: run.id })
      .update({ cause, cause_pr_number: 12, cause_version: 7 });
    const notes = `${address}?panel=notes`;
    const { body } = await open(notes);
    expect(body).toContain(words);
    expect(body).toContain('<summary>Not counted <span');
    expect((await open(notes, reader)).body).not.toContain(`${address}/count`);
    expect((await open(notes)).body).toContain(`<form method="post" action="${address}/count">`);
    expect(ledTo(await postForm(api, `${address}/count`, { back: address }, owner))).toEqual([303, address]);
    expect((await open(notes)).body).not.toContain('Not counted');
  });
});
