import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { CaptureError, type Capture } from '../../../src/capture/browser/browser.ts';
import type { CaptureRequest } from '../../../src/capture/browser/capture-request.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { getRunFor } from '../../../src/runs/read-run.ts';
import { getSuiteFor } from '../../../src/suites/read-suite.ts';
import { replaceSiteAccess } from '../../../src/suites/site-access/change-site-access.ts';
import type { SiteSecrets } from '../../../src/suites/site-access/site-access.ts';
import type { SuiteChange } from '../../../src/suites/suite-store.ts';
import { sha256Of } from '../../../src/text/sha256.ts';
import { listLogs, readRun, startRun, updateSuite } from '../../support/requests.ts';
import { newSuite, newViewer } from '../../support/world.ts';
import { marked, seeing, worldWithStorage } from '../one-page.ts';

const PATHS = ['/', '/a', '/b', '/c'];
const LOGIN: SiteSecrets = {
  login: {
    path: '/login',
    fields: [{ selector: '#password', value: 'swordfish' }],
    submit: null,
    success: { selector: '#hello' },
  },
};

let world: Awaited<ReturnType<typeof worldWithStorage>>;
let viewer: Viewer;
beforeAll(async () => {
  world = await worldWithStorage();
  viewer = await newViewer(world);
});
afterAll(() => world.end());

let logins: number;
beforeEach(() => {
  logins = 0;
});

type Look = (request: CaptureRequest) => Partial<Capture> | CaptureError;

/** What each page's result is, and the messages of the log, after a run of a site that looks like this. */
async function runOf(secrets: SiteSecrets | null, look: Look, change: SuiteChange | null = null) {
  const suite = await newSuite(world, viewer, PATHS);
  if (secrets !== null) {
    await replaceSiteAccess(world.ctx, await getSuiteFor(world.ctx, viewer, suite.id, 'suite.access'), secrets);
  }
  if (change !== null) await updateSuite(world.ctx, viewer, suite.id, change);
  const { id } = await startRun(world.ctx, viewer, suite, {});
  const { ctx } = { ctx: seeing(world, marked([1]), {}, true) };
  const capture = async (request: CaptureRequest): Promise<Capture> => {
    const seen = look(request);
    if (seen instanceof CaptureError) throw seen;
    const png = marked([PATHS.indexOf(new URL(request.url).pathname) + 1]);
    return { ...(await ctx.browser.capture(request, async () => false)), png, sha256: sha256Of(png), ...seen };
  };
  const signIn = async () => {
    logins += 1;
    const cookie = { name: 'sid', value: `session-${logins}`, path: '/', httpOnly: true, sameSite: 'Lax' as const };
    return { cookies: [cookie], localStorage: [] };
  };
  const worker = { ...ctx, siteSessions: new Map(), browser: { ...ctx.browser, capture, signIn } };
  for (const path of PATHS) await capturePage(worker, { runId: id, path }, { signal: new AbortController().signal });
  const { results } = await readRun(world.ctx, viewer, id, 'suite.read');
  const logs = await listLogs(world.ctx, await getRunFor(world.ctx, viewer, id, 'suite.read'));
  return {
    suite,
    results: Object.fromEntries(results.map(({ path, status, error }) => [path, error ?? status])),
    log: logs.map(({ message }) => message),
  };
}

const loginAt = (path: string) => ({ landing: { url: `http://site.test${path}`, asksForPassword: true } });
const session = ({ access }: CaptureRequest) => access?.cookies[0]?.value;

describe('a run of a site behind a login', () => {
  it('logs in once, and again when the login has lapsed', async () => {
    let captures = 0;
    const { results, log } = await runOf(LOGIN, (request) => {
      captures += 1;
      const valid = captures > 2 ? 'session-2' : 'session-1';
      return session(request) === valid ? {} : loginAt('/login');
    });
    expect(results).toEqual({ '/': 'PASS', '/a': 'PASS', '/b': 'PASS', '/c': 'PASS' });
    expect(logins).toBe(2);
    expect(log).toContainEqual(expect.stringMatching(/^Access to the site: form login \(\/login\); changed by Person/));
    expect(log.join('\n')).not.toMatch(/swordfish|session-/);
  });

  it('logs in again when the login that it leads to is outside of the preview', async () => {
    const astray = new CaptureError('It went astray', { address: 'http://site.test/login?next=/' });
    const { results } = await runOf(LOGIN, (request) => (session(request) === 'session-2' ? {} : astray));
    expect(results).toMatchObject({ '/a': 'PASS', '/b': 'PASS' });
    expect(logins).toBe(2);
  });

  it('makes no baseline of the login page, and does not log in for each page', async () => {
    const { results, suite } = await runOf(LOGIN, () => loginAt('/login'));
    for (const path of PATHS) expect(results[path]).toContain('redirected to /login, which asks for a password');
    expect(logins).toBeLessThanOrEqual(5);
    expect(await world.db('baselines').where({ test_suite_id: suite.id })).toEqual([]);
  });

  it('makes no baseline of the login page when a storage state has expired', async () => {
    const cookie = {
      name: 'sid',
      value: 'old',
      domain: 'site.test',
      path: '/',
      httpOnly: true,
      sameSite: 'Lax' as const,
    };
    const { results } = await runOf({ storageState: { cookies: [cookie], origins: [] } }, () => loginAt('/login'));
    expect(results['/']).toMatch(/redirected to \/login.*It did not accept what is set in “Access to the site”$/);
  });

  it('makes no baseline of the login page when nothing is sent because the suite has moved', async () => {
    const { results } = await runOf(LOGIN, () => loginAt('/login'), { baseUrl: 'http://moved.test' });
    expect(results['/']).toMatch(/redirected to \/login.*URL has changed since site access was set up/);
    expect(logins).toBe(0);
  });

  it('without access says in the log which setting passes it', async () => {
    const { results, log } = await runOf(null, () => loginAt('/users/sign_in'));
    expect(results['/']).toBe('PASS');
    expect(log).toContainEqual(
      expect.stringMatching(/^\/ at desktop: .*\/users\/sign_in.*set “Form login” .*“Access to the site”$/),
    );
  });

  it('warns once when the same login stands in place of several pages', async () => {
    const png = marked([9]);
    const { log } = await runOf(null, ({ url }) => ({
      png,
      sha256: sha256Of(png),
      landing: { url, asksForPassword: true },
    }));
    expect(log.filter((message) => message.startsWith('Several pages show the same screen'))).toHaveLength(1);
  });

  it('of which the page is refused says by which wall, and what passes it', async () => {
    const { results } = await runOf(null, () => new CaptureError('The page returned 401', { wall: 'vercel' }));
    expect(results['/']).toMatch(/^The page returned 401\. site\.test is behind Vercel.+“Vercel protection bypass”/);
  });
});
