import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tarGzOf } from '../archives/archives.ts';
import type { CheckRun } from '../support/github-world.ts';
import { pullRequest, type PullRequest } from '../support/pull-request-events.ts';
import { pageOf, showBadge, startJourney, type Journey } from '../support/pull-request-journey.ts';
import { runIsOver } from '../support/rest-client.ts';
import { html, type SmallSite } from '../support/small-site.ts';
import { SOON_AT_REST } from '../support/soon-at-rest.ts';

const LONG_MS = 180_000;
const CONFIG_FILE = '.github/pixelgate.yml';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
}, LONG_MS);
afterAll(() => journey.stop(), LONG_MS);

const HOME = html('Home', '<h1>Home</h1>');

/** A copy of the site at a place of a server, in which the prices have this color. */
function showCopy(server: SmallSite, place: string, color: string, home = HOME): void {
  server.pages.set(place, home);
  server.pages.set(`${place}prices`, pageOf(color));
}

const statuses = (run: any) => run.pageResults.map(({ path, status }: any) => `${path} ${status}`);
const addresses = (run: any) => run.pageResults.map(({ url }: any) => url);

const runOf = async ({ external_id: id = '' }: CheckRun) => journey.api().call('GET', `/test-runs/${id}`);

/** Opens a pull request whose preview is where the repository's template says. */
async function openAt(pull: PullRequest, template: string, before?: string): Promise<string> {
  const head = pull.commit({ [CONFIG_FILE]: `previewUrl: ${template}` });
  const event = before === undefined ? pull.event('opened', { headSha: head }) : null;
  await journey.tell(event ?? pull.event('synchronize', { before: before ?? '', headSha: head, after: 60 }));
  return head;
}

describe('previews below a path of the site’s own host', () => {
  it(
    'are compared with the site, carried over, and promoted at the page’s own address',
    async () => {
      const { site } = journey;
      const pull = pullRequest(journey, 60);
      const template = `${site.origin}/pr-preview/pr-{number}/`;
      showCopy(site, '/pr-preview/pr-60/', '#e00');
      const first = await openAt(pull, template);
      const check = await pull.check(first, 'completed/action_required');
      expect(check.output?.title).toBe('1 change on 1 page: review required');
      const run = await runOf(check);
      expect(addresses(run)).toEqual([`${site.origin}/pr-preview/pr-60/`, `${site.origin}/pr-preview/pr-60/prices`]);
      expect(run.pageResults[1]).toMatchObject({ status: 'FAIL', cause: 'CHANGE', controlFile: expect.any(String) });
      await journey.api().call('POST', `/test-runs/${run.id}/approve-visuals`, {});
      await pull.check(first, 'completed/success');

      const second = await openAt(pull, template, first);
      const next = await pull.check(second, 'completed/success');
      expect(next.output?.title).toContain('1 change approved by Ada');
      await journey.tell(pull.event('merged', { headSha: second, after: 3600, mergeCommitSha: second }));
      const versions = `/baseline-versions?suiteId=${journey.suiteId}&path=/prices`;
      const [newest] = await journey.api().until(versions, ([{ prNumber }]) => prNumber === 60);
      expect(newest).toMatchObject({ path: '/prices', url: `${site.origin}/prices`, version: 2, source: 'PR_MERGE' });
      site.pages.set('/prices', pageOf('#e00'));
    },
    LONG_MS,
  );

  it(
    'are found by the address of a deployment, and pass only if every page is the same',
    async () => {
      const { site } = journey;
      const pull = pullRequest(journey, 61);
      showCopy(site, '/previews/61/', '#e00');
      const same = pull.commit();
      const url = `${site.origin}/previews/61`;
      await journey.tell(pull.event('opened', { headSha: same }), pull.deployed(same, url));
      const check = await pull.check(same, 'completed/success');
      expect(check.output?.title).toBe('No visual changes');
      expect(await runOf(check)).toMatchObject({ git: { previewUrl: url } });

      showCopy(site, '/previews/61/', '#0e0', html('Home', '<h1>Another home</h1>'));
      const changed = pull.commit();
      await journey.tell(
        pull.event('synchronize', { before: same, headSha: changed, after: 60 }),
        pull.deployed(changed, url),
      );
      const other = await pull.check(changed, 'completed/action_required');
      expect(other.output?.title).toMatch(/^\d changes on 2 pages: review required$/);
    },
    LONG_MS,
  );

  it(
    'are not taken for the site where a page leads there, nor where the preview is the site',
    async () => {
      const { site } = journey;
      const pull = pullRequest(journey, 62);
      showCopy(site, '/previews/62/', '#e00');
      site.pages.set('/previews/62/prices', (response) => response.writeHead(302, { location: '/prices' }).end());
      const astray = pull.commit();
      await journey.tell(
        pull.event('opened', { headSha: astray }),
        pull.deployed(astray, `${site.origin}/previews/62/`),
      );
      const run = await runOf(await pull.check(astray, 'completed/failure'));
      expect(statuses(run)).toEqual(['/ PASS', '/prices ERROR']);
      expect(run.pageResults[1].error).toContain(`${site.origin}/prices, which is outside of the preview`);

      const own = pull.commit();
      await journey.tell(
        pull.event('synchronize', { before: astray, headSha: own, after: 60 }),
        pull.deployed(own, `${site.origin}/index.html`),
      );
      const check = await pull.check(own, 'completed/failure');
      expect(check.output?.summary).toContain('is the suite’s own site, not a preview of it');
    },
    LONG_MS,
  );
});

describe('a suite whose base URL has a path', () => {
  let suiteId: string;

  const start = async (body?: object) => {
    const { testRunId } = await journey.api().call('POST', `/test-suites/${suiteId}/run`, body, 202);
    return journey.api().until(`/test-runs/${testRunId}`, runIsOver);
  };

  beforeAll(async () => {
    const { site } = journey;
    showCopy(site, '/repo/', '#eee');
    site.pages.set('/other', html('Other', '<h1>Of another site</h1>'));
    const viewports = [{ name: 'desktop', width: 800, height: 600 }];
    const config = { recrawlInterval: 'off', viewports, ...SOON_AT_REST };
    const body = { name: 'Repo', baseUrl: `${site.origin}/repo`, config };
    suiteId = (await journey.api().call('POST', '/test-suites', body, 201)).id;
    for (const path of ['/repo/', '/repo/prices', '/other'])
      await journey.api().call('POST', `/test-suites/${suiteId}/pages`, { path }, 201);
    await start();
  }, LONG_MS);

  it(
    'is captured below the preview’s own path, and what is outside of the base is an error that says so',
    async () => {
      const { site, preview } = journey;
      showBadge(preview);
      const places = [`${preview.origin}/`, `${preview.origin}/deep/7/`, `${site.origin}/repo/pr-preview/pr-7/`];
      for (const place of places) {
        const server = place.startsWith(site.origin) ? site : preview;
        showCopy(server, new URL(place).pathname, '#00e');
        const run = await start({ targetBaseUrl: place.slice(0, -1), branch: 'blue' });
        expect(statuses(run)).toEqual(['/other ERROR', '/repo/ PASS', '/repo/prices FAIL']);
        expect(run.pageResults[0].error).toContain(`outside of the suite’s base URL, ${site.origin}/repo,`);
        expect(addresses(run).slice(1)).toEqual([place, `${place}prices`]);
      }
      const again = await start({ targetBaseUrl: `${preview.origin}/deep/7`, branch: 'blue' });
      await journey.api().call('POST', `/test-runs/${again.id}/rerun`, { url: again.pageResults[0].url }, 202);
      const rerun = await journey.api().until(`/test-runs/${again.id}`, runIsOver);
      expect(statuses(rerun)[0]).toBe('/other ERROR');
      await journey.api().call('POST', `/test-runs/${again.id}/approve-visuals`, {});
      const [newest] = await journey
        .api()
        .call('GET', `/baseline-versions?suiteId=${suiteId}&path=${encodeURIComponent('/repo/prices')}`);
      expect(newest).toMatchObject({ version: 2, source: 'BRANCH', url: `${site.origin}/repo/prices` });
    },
    LONG_MS,
  );

  it(
    'is captured from a build that was built with its path, or without it',
    async () => {
      const { site } = journey;
      for (const folder of ['', 'repo/']) {
        const files = [
          { path: `${folder}index.html`, content: HOME },
          { path: `${folder}prices.html`, content: pageOf('#0ee') },
          { path: 'badge.svg', content: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>' },
          { path: 'other.html', content: html('Other', '<h1>Of another site</h1>') },
        ];
        const response = await fetch(`${journey.serviceUrl()}/api/test-suites/${suiteId}/builds`, {
          method: 'POST',
          headers: { authorization: `Bearer ${journey.api().token ?? ''}`, 'content-type': 'application/gzip' },
          body: new Uint8Array(tarGzOf(files)),
        });
        const build: any = await response.json();
        const run = await start({ buildId: build.id });
        expect(statuses(run)).toEqual(['/other ERROR', '/repo/ PASS', '/repo/prices FAIL']);
        expect(run.pageResults[0].error).toContain('outside of the suite’s base URL');
        expect(addresses(run)[1]).toBe(`${site.origin}/repo/`);
      }
    },
    LONG_MS,
  );

  it(
    'still has the site itself captured as a whole',
    async () => {
      const run = await start();
      expect(statuses(run)).toEqual(['/other PASS', '/repo/ PASS', '/repo/prices FAIL']);
    },
    LONG_MS,
  );
});
