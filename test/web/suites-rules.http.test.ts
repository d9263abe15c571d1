import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { halfBlack } from '../api/fixture.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { postForm } from '../support/web-form.ts';
import { ledTo, peopleOf, sharedSuite, type People } from './suites-fixture.ts';

let api: TestApi;
let people: People;
let suite: SuiteForViewer;
let path: string;
beforeAll(async () => {
  api = await startTestApi();
  people = await peopleOf(api);
});
beforeEach(async () => {
  await api.ctx.db('test_suites').delete();
  suite = await sharedSuite(api, people);
  path = `/suites/${suite.id}/settings`;
});
afterAll(() => api.stop());

const ABOUT = { name: 'Docs', baseUrl: 'http://site.test' };

const post = async (to: string, fields: Record<string, string>, as: Account = people.editor) =>
  postForm(api, path + to, { ...ABOUT, ...fields }, as);
const open = async (as: Account = people.editor) => String((await api.request('GET', path, { token: as.token })).body);

const endpoint = () => `/api/test-suites/${suite.id}`;
const readRules = async () =>
  (await api.request('GET', endpoint(), { token: people.owner.token })).body.config.rules as unknown;
const setRules = async (rules: unknown) =>
  api.request('PATCH', endpoint(), { token: people.owner.token, body: { config: { rules } } });

/** The rules that the page shows, in words. */
const summaries = (body: unknown) =>
  [...String(body).matchAll(/class="rule-summary">([^<]*)</g)].map(([, text]) => text);

describe('the rules of a suite', () => {
  it('are refused by the API with the path of what is wrong', async () => {
    const { status, body } = await setRules([
      { paths: ['/'], hide: ['.ad', '.ad:hover'], actions: [{ type: 'click', selector: '##' }] },
    ]);
    expect(status).toBe(400);
    expect(body.details.issues).toEqual([
      { path: 'config.rules.0.hide.1', message: ':hover cannot be used in rules' },
      { path: 'config.rules.0.actions.0.selector', message: 'This is not a CSS selector' },
    ]);
  });

  it('are saved from the form, in order, without those that are blank', async () => {
    const answer = await post('', {
      'config.rules.0.paths': '/blog/**\r\n/news',
      'config.rules.0.viewports.mobile': 'on',
      'config.rules.0.hide': '.ad\r\n.banner',
      'config.rules.0.ignoreBoxes': '0 10 300 250',
      'config.rules.0.actions': 'click .more\r\nwait 200 ms',
      'config.rules.0.failureThreshold': '0.5',
      'config.rules.1.paths': '  ',
      'config.rules.1.skip': '',
      'config.rules.10.paths': '/last',
      'config.rules.10.skip': 'yes',
      'config.rules.9.paths': '/middle',
      'config.rules.9.css': 'a {}',
    });
    expect(ledTo(answer)).toBe(`303 ${path}`);
    expect(await readRules()).toEqual([
      {
        paths: ['/blog/**', '/news'],
        viewports: ['mobile'],
        hide: ['.ad', '.banner'],
        ignoreBoxes: [{ x: 0, y: 10, width: 300, height: 250 }],
        actions: [
          { type: 'click', selector: '.more' },
          { type: 'wait', ms: 200 },
        ],
        failureThreshold: 0.5,
      },
      { paths: ['/middle'], css: 'a {}' },
      { paths: ['/last'], skip: true },
    ]);
    expect(summaries(await open())).toEqual([
      'On /blog/**, /news at mobile: hides .ad, .banner, ignores 1 box, does 2 actions, failure threshold 0.5%',
      'On /middle: adds CSS',
      'On /last: excludes the pages',
    ]);
    await post('', {});
    expect(await readRules()).toEqual([]);
  });

  it('are refused at the rule and the line where something is wrong, with all that was typed', async () => {
    const { status, body } = await post('', {
      'config.rules.0.skip': '',
      'config.rules.1.paths': '/kept',
      'config.rules.1.hide': '.fine\n\n.bad:hover',
      'config.rules.2.hide': '.somewhere',
      'config.rules.2.waitTime': 'soon',
    });
    expect(status).toBe(400);
    expect(body).toMatch(/id="field-config-rules-1-hide-error"[^>]*>.*Line 3: :hover cannot be used in rules/);
    expect(body).toContain('id="field-config-rules-2-paths-error"');
    expect(body).toMatch(/id="field-config-rules-2-waitTime-error"[^>]*>.*Must be a whole number from 0 to 60,000/);
    expect(body).toContain('.bad:hover</textarea>');
    expect(String(body).match(/<details open>/g)).toHaveLength(2);
    expect(await readRules()).toEqual([]);
  });

  const THREE = {
    'config.maxPages': '7',
    'config.rules.0.paths': '/one',
    'config.rules.1.paths': '/two',
    'config.rules.1.viewports.gone': 'on',
    'config.rules.2.paths': '/three',
  };

  it.each([
    ['up 2', ['/one', '/three', '/two at gone']],
    ['up 0', ['/one', '/two at gone', '/three']],
    ['down 0', ['/two at gone', '/one', '/three']],
    ['down 2', ['/one', '/two at gone', '/three']],
    ['remove 1', ['/one', '/three']],
    ['remove 7', ['/one', '/two at gone', '/three']],
    ['nonsense', ['/one', '/two at gone', '/three']],
  ])('are arranged by the button "%s", and nothing is saved', async (arrange, order) => {
    const { status, body } = await post('/rules', { ...THREE, name: 'Typed', arrange });
    expect(status).toBe(200);
    expect(summaries(body)).toEqual(order.map((paths) => `On ${paths}: nothing yet`));
    expect(body).toContain('Not saved yet');
    expect(body).toContain('value="Typed"');
    expect(body).toMatch(/name="config.maxPages"[^>]*value="7"/);
    expect(await readRules()).toEqual([]);
  });

  it('get a new one, which is open, and htmx gets nothing else', async () => {
    const fields = { ...ABOUT, ...THREE, arrange: 'add' };
    const { body } = await api.request('POST', `${path}/rules`, {
      token: people.editor.token,
      raw: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'hx-request': 'true' },
    });
    expect(summaries(body)).toHaveLength(4);
    expect(summaries(body).at(-1)).toBe('New rule: nothing yet');
    expect(String(body).match(/<details open>\s*<summary autofocus>/g)).toHaveLength(1);
    expect(body).toContain('name="config.rules.3.paths"');
    expect(body).not.toContain('config.maxPages');
  });

  it('lead those who reload the page of an arrangement back to the settings', async () => {
    expect(ledTo(await api.request('GET', `${path}/rules`, { token: people.viewer.token }))).toBe(`303 ${path}`);
  });

  it('are read by viewers, without buttons', async () => {
    await setRules([{ paths: ['/'], hide: ['.ad'] }]);
    const body = await open(people.viewer);
    expect(summaries(body)).toEqual(['On /: hides .ad']);
    expect(body).not.toContain('name="arrange"');
  });
});

describe('a trial of the rules', () => {
  const TYPED = { 'config.rules.0.paths': '/', 'config.rules.0.hide': '.ad', trialPath: '/', trialViewport: 'desktop' };

  it('is of the form as it is, which is not saved, and is shown as soon as it is captured', async () => {
    const answer = await post('/try', TYPED);
    const [, id = ''] = /^303 \/suites\/[^/]+\/trials\/([^/]+)$/.exec(ledTo(answer)) ?? [];
    const [row] = await api.ctx.db('page_trials').where({ id }).select('config', 'path', 'viewport');
    expect(row).toMatchObject({ path: '/', viewport: 'desktop', config: { rules: [{ paths: ['/'], hide: ['.ad'] }] } });
    expect(await readRules()).toEqual([]);
    const at = `/suites/${suite.id}/trials/${id}`;
    const show = async () => String((await api.request('GET', at, { token: people.viewer.token })).body);
    expect(await show()).toContain('Capturing / at desktop');
    const file = `suites/${suite.id}/${'ab'.repeat(32)}.png`;
    await api.ctx.storage.put(file, halfBlack(0));
    await api.ctx
      .db('page_trials')
      .where({ id })
      .update({
        status: 'DONE',
        file,
        ignored_boxes: JSON.stringify([{ x: 1, y: 2, width: 3, height: 4 }]),
        unmatched_selectors: JSON.stringify(['.ad']),
      });
    const body = await show();
    expect(body).toContain('<rect class="trial-ignored" x="1" y="2" width="3" height="4"');
    expect(body).toContain('Matched nothing on this page: .ad');
    expect(body).not.toContain('data-poll');
  });

  it('is refused at the fields of the settings', async () => {
    const { status, body } = await post('/try', { ...TYPED, 'config.rules.0.hide': ':hover', trialPath: ' ' });
    expect(status).toBe(400);
    expect(body).toContain('id="field-trialPath-error"');
    expect(body).toContain('Line 1: :hover cannot be used in rules');
    const foreign = await post('/try', { ...TYPED, trialPath: 'http://other.test/' });
    expect(foreign.status).toBe(400);
    expect(foreign.body).toContain('Must be a path on this site');
    expect(await api.ctx.db('page_trials').select('id')).toEqual([]);
  });
});
