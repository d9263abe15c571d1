import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { ledTo, postForm } from '../support/web-form.ts';
import type { OwnSuite } from '../support/world.ts';
import { changed, passed, runOf } from './runs-fixture.ts';
import { peopleOf, sharedSuite, type People } from './suites-fixture.ts';

let api: TestApi;
let people: People;
let suite: OwnSuite;
let runId: string;
beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(async () => {
  people = await peopleOf(api);
  suite = await sharedSuite(api, people);
  runId = (await runOf(api, suite, { results: { '/': changed } })).id;
});
afterAll(async () => api.stop());

const idOf = ({ user }: Account) => user.id;
const assign = (who: Account[], as = people.reviewer) =>
  api.request('PUT', `/api/test-runs/${runId}/assignees`, { token: as.token, body: { userIds: who.map(idOf) } });
const assignees = async () => {
  const { body } = await api.request('GET', `/api/test-runs/${runId}`, { token: people.owner.token });
  return body.assignees.map(({ id }: { id: string }) => id);
};
const waitingFor = async (who: Account, query = '') => {
  const path = `/api/test-runs?waitingFor=${who.user.id}${query}`;
  const { body } = await api.request('GET', path, { token: people.owner.token });
  return body.testRuns.map(({ id }: { id: string }) => id);
};
const open = async (path: string, as: Account) => String((await api.request('GET', path, { token: as.token })).body);
const access = async (method: string, who: Account, body?: unknown) => {
  const [grant] = await api.ctx.db('test_suite_grants').where({ test_suite_id: suite.id, principal_id: idOf(who) });
  return api.request(method, `/api/test-suites/${suite.id}/access/${grant?.id}`, { token: people.owner.token, body });
};

describe('a run', () => {
  it('is assigned to nobody, until somebody who may review says to whom', async () => {
    expect(await assignees()).toEqual([]);
    const answer = await assign([people.admin, people.owner, people.admin]);
    expect(answer.status).toBe(200);
    expect(answer.body.assignees.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [idOf(people.admin), idOf(people.owner)].toSorted(),
    );
    await assign([people.reviewer, people.owner]);
    expect((await assignees()).toSorted()).toEqual([idOf(people.reviewer), idOf(people.owner)].toSorted());
    await assign([]);
    expect(await assignees()).toEqual([]);
  });

  it('is assigned only to people who may review it', async () => {
    await assign([people.owner]);
    for (const other of [people.viewer, people.stranger]) {
      const refused = await assign([people.reviewer, other]);
      expect(refused).toMatchObject({ status: 422, body: { details: { code: 'not_a_reviewer' } } });
    }
    expect(await assignees()).toEqual([idOf(people.owner)]);
  });

  it('waits no longer for somebody who was removed, or whose role was lowered', async () => {
    await assign([people.reviewer, people.editor, people.admin]);
    expect((await access('DELETE', people.editor)).status).toBe(200);
    await api.request('POST', `/api/test-suites/${suite.id}/access`, {
      token: people.owner.token,
      body: { userId: idOf(people.editor), role: 'EDITOR' },
    });
    expect((await access('PATCH', people.admin, { role: 'VIEWER' })).status).toBe(200);
    expect(await assignees()).toEqual([idOf(people.reviewer)]);
    expect(await waitingFor(people.editor)).toEqual([]);
    expect(await waitingFor(people.admin)).toEqual([]);
  });
});

describe('lists of runs', () => {
  it('are filtered by whom a run waits for, while it waits', async () => {
    await assign([people.admin]);
    await runOf(api, suite, { results: { '/': changed } });
    expect(await waitingFor(people.admin)).toEqual([runId]);
    expect(await waitingFor(people.admin, '&status=FAILED')).toEqual([]);
    expect(await waitingFor(people.reviewer)).toEqual([]);
    const mine = await open('/runs?review=ASSIGNED', people.admin);
    expect(mine).toContain(`href="/runs/${runId}"`);
    expect(mine).toContain('1 run');
    expect(mine).toContain('Waiting for admin');
    expect(await open('/runs?review=ASSIGNED', people.reviewer)).toContain('No matching runs');
    await api.ctx.db('test_runs').where({ id: runId }).update({ review_state: 'APPROVED' });
    expect(await waitingFor(people.admin)).toEqual([]);
    expect(await open(`/suites/${suite.id}/runs`, people.admin)).not.toContain('Waiting for admin');
  });

  it('begin on the dashboard with what waits for the person, and name it once', async () => {
    const other = await runOf(api, suite, { results: { '/': changed } });
    await assign([people.admin]);
    const page = await open('/', people.admin);
    const [own = '', rest = ''] = page.slice(page.indexOf('id="assigned"')).split('id="awaiting"');
    const awaiting = rest.split('id="followed"')[0] ?? '';
    expect(own).toContain('Waiting for you');
    expect([own.includes(runId), own.includes(other.id)]).toEqual([true, false]);
    expect([awaiting.includes(runId), awaiting.includes(other.id)]).toEqual([false, true]);
    expect(await open('/', people.reviewer)).not.toContain('Waiting for you');
  });
});

describe('the page of a run', () => {
  const form = (fields: [string, string][], as: Account) =>
    postForm(api, `/runs/${runId}/assignees`, fields, { token: as.token });
  const wasIn = (page: string) =>
    [...page.matchAll(/name="was" value="([^"]*)"/g)].map(([, id = '']): [string, string] => ['was', id]);

  it('says whom it waits for, and offers who may review to those who may', async () => {
    expect(await open(`/runs/${runId}`, people.viewer)).not.toContain('run-assignees');
    const offered = await open(`/runs/${runId}`, people.reviewer);
    expect(offered).not.toContain('Waiting for');
    const idsIn = (page: string) =>
      [...page.matchAll(/name="user" type="checkbox" value="([^"]*)"/g)].map(([, id = '']) => id).toSorted();
    const reviewers = [people.owner, people.reviewer, people.editor, people.admin].map(idOf);
    expect(idsIn(offered)).toEqual(reviewers.toSorted());
    await api.ctx
      .db('users')
      .where({ id: idOf(people.admin) })
      .update({ disabled_at: new Date() });
    expect(idsIn(await open(`/runs/${runId}`, people.reviewer))).toEqual(reviewers.slice(0, 3).toSorted());
    const sent = await form(
      [people.owner, people.editor].map((who) => ['user', idOf(who)]),
      people.reviewer,
    );
    expect(ledTo(sent)).toEqual([303, `/runs/${runId}`]);
    expect((await assignees()).toSorted()).toEqual([idOf(people.owner), idOf(people.editor)].toSorted());
    expect(await open(`/runs/${runId}`, people.viewer)).toMatch(
      /Waiting for <strong class="break">(owner, editor|editor, owner)</,
    );
    await form(wasIn(await open(`/runs/${runId}`, people.reviewer)), people.reviewer);
    expect(await assignees()).toEqual([]);
  });

  it('keeps what others changed since it was opened', async () => {
    await assign([people.owner, people.editor]);
    const opened = await open(`/runs/${runId}`, people.reviewer);
    await assign([people.owner, people.admin]);
    const ticked = [people.editor, people.reviewer].map((who): [string, string] => ['user', idOf(who)]);
    await form([...wasIn(opened), ...ticked], people.reviewer);
    expect((await assignees()).toSorted()).toEqual([idOf(people.admin), idOf(people.reviewer)].toSorted());
  });

  it('offers nothing where nothing is left to review', async () => {
    const { id } = await runOf(api, suite, { results: { '/': passed } });
    expect(await open(`/runs/${id}`, people.owner)).not.toContain('/assignees"');
  });
});
