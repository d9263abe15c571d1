import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { leastRole, SUITE_ROLES, type SuiteRole } from '../../src/access/role.ts';
import { ROUTES } from '../../src/web/route-table.ts';
import { startTestApi, type Account, type Answer, type TestApi } from '../support/api-client.ts';
import { changeOf } from '../support/changes.ts';
import { ledTo, postForm } from '../support/web-form.ts';
import { newScene, READS, run, suite, type Scene } from './web-scene.ts';

type Change = {
  row: string;
  least: SuiteRole;
  post: (scene: Scene) => [path: string, fields: Record<string, string>];
  /** The status for those who may. */
  status?: number;
  /** The button is not shown on every stage. */
  unseen?: true;
};

const TARGET = { name: 'Told', url: 'https://hooks.example.com/other', listens: 'run.failed', tells: 'ALWAYS' };
const notice = (s: Scene, rest = '') => suite(s, `/notices/${s.targetId}${rest}`);

/** For the pages, written by hand: who may post what. `READS` says who may open what. */
const CHANGES: Change[] = [
  { row: '/runs/:id/approve', least: 'REVIEWER', post: (s) => [run(s, '/approve'), { keys: changeOf('d').key }] },
  {
    row: '/runs/:id/results/:resultId/promote',
    least: 'REVIEWER',
    post: (s) => [run(s, `/results/${s.changed.id}/promote`), {}],
    unseen: true,
  },
  {
    row: '/runs/:id/results/:resultId/count',
    least: 'REVIEWER',
    post: (s) => [run(s, `/results/${s.changed.id}/count`), {}],
    unseen: true,
  },
  {
    row: '/runs/:id/results/:resultId/ignore-change',
    least: 'REVIEWER',
    post: (s) => [run(s, `/results/${s.changed.id}/ignore-change`), {}],
  },
  {
    row: '/runs/:id/results/:resultId/ignore-area',
    least: 'EDITOR',
    post: (s) => [run(s, `/results/${s.changed.id}/ignore-area`), { area: 'box 0,0,10,10' }],
  },
  {
    row: '/suites/:id/ignored-areas/remove',
    least: 'EDITOR',
    post: (s) => [suite(s, '/ignored-areas/remove'), { area: JSON.stringify({ paths: ['**'], ignore: ['#clock'] }) }],
    // The suite ignores no area: see review-ignore.http.test.ts.
    unseen: true,
  },
  {
    row: '/suites/:id/ignored-changes/:ignoredChangeId/revoke',
    least: 'REVIEWER',
    post: (s) => [suite(s, `/ignored-changes/${s.ignoredChangeId}/revoke`), {}],
  },
  {
    row: '/runs/:id/request-changes',
    least: 'REVIEWER',
    post: (s) => [run(s, '/request-changes'), { note: 'Too pale' }],
  },
  {
    row: '/runs/:id/settings-change',
    least: 'REVIEWER',
    post: (s) => [run(s, '/settings-change'), { decision: 'approve', settings: '' }],
    status: 409,
    unseen: true,
  },
  { row: '/runs/:id/comments', least: 'VIEWER', post: (s) => [run(s, '/comments'), { body: 'Looks odd' }] },
  {
    row: '/runs/:id/assignees',
    least: 'REVIEWER',
    post: (s) => [run(s, '/assignees'), { user: owner.user.id }],
  },
  { row: '/runs/:id/undo', least: 'REVIEWER', post: (s) => [run(s, '/undo'), {}], unseen: true },
  {
    row: '/suites/:id/pages/:pageId/restore',
    least: 'REVIEWER',
    post: (s) => [suite(s, `/pages/${s.pageId}/restore`), { baselineVersionId: s.versionId }],
  },
  {
    row: '/suites/:id/renew-baselines',
    least: 'REVIEWER',
    post: (s) => [suite(s, '/renew-baselines'), { runId: s.runId, which: '1' }],
    // No baseline on the stage is from another browser.
    status: 409,
    unseen: true,
  },
  {
    row: '/runs/:id/servers',
    least: 'REVIEWER',
    post: (s) => [run(s, '/servers'), { differ: 'true' }],
    // The run on the stage is of the site itself.
    status: 409,
    unseen: true,
  },
  { row: '/runs/:id/cancel', least: 'EDITOR', post: (s) => [`/runs/${s.inFlightId}/cancel`, {}] },
  { row: '/runs/:id/rerun', least: 'EDITOR', post: (s) => [run(s, '/rerun'), {}] },
  {
    row: '/suites/:id/email',
    least: 'VIEWER',
    post: (s) => [suite(s, '/email'), { hears: 'ALL', tells: '' }],
    // On the account's page: see email.http.test.ts.
    unseen: true,
  },
  { row: '/suites/:id/follow', least: 'VIEWER', post: (s) => [suite(s, '/follow'), { follow: 'yes' }] },
  { row: '/suites/:id/run', least: 'EDITOR', post: (s) => [suite(s, '/run'), {}] },
  { row: '/suites/:id/crawl', least: 'EDITOR', post: (s) => [suite(s, '/crawl'), {}] },
  {
    row: '/suites/:id/pages',
    least: 'EDITOR',
    post: (s) => [suite(s, '/pages'), { action: 'untrack', page: s.pageId }],
  },
  { row: '/suites/:id/add-page', least: 'EDITOR', post: (s) => [suite(s, '/add-page'), { address: '/by-hand' }] },
  {
    row: '/suites/:id/settings',
    least: 'EDITOR',
    post: (s) => [suite(s, '/settings'), { name: 'New', baseUrl: s.suite.baseUrl }],
  },
  {
    row: '/suites/:id/settings/rules',
    least: 'EDITOR',
    post: (s) => [suite(s, '/settings/rules'), { arrange: 'add' }],
    status: 200,
  },
  {
    row: '/suites/:id/settings/try',
    least: 'EDITOR',
    post: (s) => [
      suite(s, '/settings/try'),
      { name: 'New', baseUrl: s.suite.baseUrl, trialPath: '/', trialViewport: 'desktop' },
    ],
  },
  {
    row: '/suites/:id/access',
    least: 'ADMIN',
    post: (s) => [suite(s, '/access'), { form: 'vercel', 'vercel.secret': 'bypass' }],
  },
  { row: '/suites/:id/active', least: 'ADMIN', post: (s) => [suite(s, '/active'), { active: 'no' }] },
  {
    row: '/suites/:id/sharing',
    least: 'ADMIN',
    post: (s) => [suite(s, '/sharing'), { email: bystander.user.email, role: 'EDITOR' }],
  },
  {
    row: '/suites/:id/sharing/:grantId',
    least: 'ADMIN',
    post: (s) => [suite(s, `/sharing/${s.grantId}`), { role: 'EDITOR' }],
  },
  {
    row: '/suites/:id/sharing/:grantId/revoke',
    least: 'ADMIN',
    post: (s) => [suite(s, `/sharing/${s.grantId}/revoke`), {}],
  },
  {
    row: '/suites/:id/invitations',
    least: 'ADMIN',
    post: (s) => [suite(s, '/invitations'), { role: 'EDITOR' }],
    // The page that shows the link.
    status: 200,
  },
  {
    row: '/suites/:id/invitations/:invitationId/withdraw',
    least: 'ADMIN',
    post: (s) => [suite(s, `/invitations/${s.invitationId}/withdraw`), {}],
  },
  {
    row: '/suites/:id/synchronize',
    least: 'EDITOR',
    post: (s) => [suite(s, '/synchronize'), {}],
    // The suite on the stage is linked to no repository.
    status: 409,
    unseen: true,
  },
  { row: '/suites/:id/unlink', least: 'ADMIN', post: (s) => [suite(s, '/unlink'), {}], unseen: true },
  {
    row: '/suites/:id/repository',
    least: 'ADMIN',
    post: (s) => [suite(s, '/repository'), { owner: 'octo', repo: 'site', installationId: '1' }],
  },
  {
    row: '/setup/installed',
    least: 'ADMIN',
    post: (s) => ['/setup/installed', { suiteId: s.suite.id, choice: '1 octo/site' }],
    unseen: true,
  },
  {
    row: '/suites/:id/first-check',
    least: 'EDITOR',
    post: (s) => [suite(s, '/first-check'), { number: '7' }],
    // No repository is linked.
    status: 409,
    unseen: true,
  },
  {
    row: '/suites/:id/tokens',
    least: 'ADMIN',
    post: (s) => [suite(s, '/tokens'), { name: 'CI', expiresInDays: '30', scopes: 'read' }],
    // The page that shows the secret.
    status: 200,
  },
  {
    row: '/suites/:id/tokens/:tokenId/revoke',
    least: 'ADMIN',
    post: (s) => [suite(s, `/tokens/${s.tokenId}/revoke`), {}],
  },
  {
    row: '/suites/:id/notices',
    least: 'ADMIN',
    post: (s) => [suite(s, '/notices'), { ...TARGET, kind: 'WEBHOOK' }],
    // The page that shows the secret.
    status: 200,
  },
  { row: '/suites/:id/notices/:targetId', least: 'ADMIN', post: (s) => [notice(s), TARGET] },
  {
    row: '/suites/:id/notices/:targetId/secret',
    least: 'ADMIN',
    post: (s) => [notice(s, '/secret'), {}],
    status: 200,
  },
  { row: '/suites/:id/notices/:targetId/test', least: 'ADMIN', post: (s) => [notice(s, '/test'), {}] },
  { row: '/suites/:id/notices/:targetId/off', least: 'ADMIN', post: (s) => [notice(s, '/off'), {}] },
  // The target on the stage is in use.
  { row: '/suites/:id/notices/:targetId/on', least: 'ADMIN', post: (s) => [notice(s, '/on'), {}], unseen: true },
  { row: '/suites/:id/notices/:targetId/delete', least: 'ADMIN', post: (s) => [notice(s, '/delete'), {}] },
  {
    row: '/suites/:id/notices/:targetId/deliveries/:deliveryId/send',
    least: 'ADMIN',
    post: (s) => [notice(s, `/deliveries/${s.deliveryId}/send`), {}],
  },
  { row: '/suites/:id/delete', least: 'ADMIN', post: (s) => [suite(s, '/delete'), { confirm: s.suite.name }] },
];

/** What needs no role, and maybe no account. */
const ROLELESS = [
  // Of the comment's author: see test/api/runs/verdicts.http.test.ts.
  'POST /runs/:id/comments/:commentId/edit',
  'POST /runs/:id/comments/:commentId/delete',
  'GET /',
  'GET /runs',
  'GET /search',
  'GET /suites',
  'GET /suites/new',
  'POST /suites/new',
  'POST /suites/look',
  'GET /suites/looks/:id',
  'GET /single-pages',
  'GET /single-pages/new',
  'POST /single-pages/new',
  'GET /setup',
  'GET /setup/callback',
  'GET /setup/installed',
  'GET /setup/create',
  // Of administrators: see test/api/storage.http.test.ts.
  'GET /storage',
  // Of administrators: see notices.http.test.ts and audit.http.test.ts.
  'GET /audit',
  'GET /notices',
  'POST /notices',
  'GET /notices/:targetId',
  'POST /notices/:targetId',
  'POST /notices/:targetId/secret',
  'POST /notices/:targetId/test',
  'POST /notices/:targetId/off',
  'POST /notices/:targetId/on',
  'POST /notices/:targetId/delete',
  'POST /notices/:targetId/deliveries/:deliveryId/send',
  'GET /account',
  'POST /account/name',
  'POST /account/password',
  'POST /account/linked/:linkId/unlink',
  // Of the person: see passkeys.browser.test.ts.
  'POST /account/passkeys',
  'POST /account/passkeys/:passkeyId/remove',
  'POST /account/sessions/:sessionId/sign-out',
  'POST /account/sessions/sign-out-others',
  'POST /account/sign-out-everywhere',
  // Of administrators: see administration.http.test.ts.
  'GET /admin/accounts',
  'GET /admin/accounts/:accountId',
  'POST /admin/accounts/:accountId/disable',
  'POST /admin/accounts/:accountId/enable',
  'POST /admin/accounts/:accountId/make-administrator',
  'POST /admin/accounts/:accountId/remove-administrator',
  'POST /admin/accounts/:accountId/sign-out',
  'POST /admin/accounts/:accountId/password-reset',
  'POST /admin/accounts/:accountId/hand-over',
  // Of everyone but the owner, and of the owner alone: see administration.http.test.ts.
  'GET /suites/:id/leave',
  'POST /suites/:id/leave',
  'POST /suites/:id/hand-over',
  'GET /account/email',
  'POST /account/email',
  'GET /account/tokens',
  'POST /account/tokens',
  'POST /account/tokens/:tokenId/revoke',
  // Of whoever has the link: see test/web/invitations.http.test.ts.
  'POST /invitations/:token',
  'POST /preferences',
  'POST /sign-out',
];
const OPEN = [
  'GET /sign-in',
  'POST /sign-in',
  'POST /passkey-sign-in',
  'GET /sign-in/:token',
  'POST /sign-in/:token',
  'GET /register',
  'POST /register',
  'GET /invitations/:token',
  'POST /invitations/:token/register',
  'GET /forgot-password',
  'POST /forgot-password',
  'GET /reset-password',
  'POST /reset-password',
  'GET /unsubscribe/:token',
  'POST /unsubscribe/:token',
  'POST /theme',
];

/** Their handlers ask for more, or find what they act on by other means. */
const BEYOND_THE_TABLE = [
  // Of editors; these changes of a suite also need `suite.link` and `suite.activate`.
  'post /suites/:id/repository: EDITOR',
  'post /suites/:id/unlink: EDITOR',
  'post /suites/:id/active: EDITOR',
  // The form names the suite.
  'post /setup/installed: nothing',
  // They are there for the installation, too.
  ' /suites/:id/notices',
  // Of whoever may read: see ROLELESS.
  'post /runs/:id/comments/:commentId/edit: VIEWER',
  'post /runs/:id/comments/:commentId/delete: VIEWER',
  'get /suites/:id/leave: VIEWER',
  'post /suites/:id/leave: VIEWER',
  'post /suites/:id/hand-over: VIEWER',
];

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const ON_PAGE = { 'hx-request': 'true', 'hx-current-url': 'http://localhost/suites?scope=OWNED' };

const CALLERS = ['stranger', ...SUITE_ROLES, 'owner'] as const;
type Caller = (typeof CALLERS)[number];

let api: TestApi;
let owner: Account;
let bystander: Account;
/** For requests that change nothing. */
let shared: Scene;
const people = new Map<Caller, Account>();
beforeAll(async () => {
  const closing = { allowRegistration: true };
  api = await startTestApi({}, (ctx) => ({ ...ctx, config: Object.assign(closing, ctx.config) }));
  owner = await api.account('owner');
  bystander = await api.account('bystander');
  for (const name of ['stranger', ...SUITE_ROLES] as const) people.set(name, await api.account(name));
  people.set('owner', owner);
  // Then only the role decides who may link a repository.
  closing.allowRegistration = false;
  shared = await newScene(api, { owner, bystander, members: people });
});
afterAll(async () => api.stop());

const tokenOf = (caller: Caller) => people.get(caller)?.token;

const answers = new Map<string, Promise<Answer>>();

/** Two tests look at the same pages. */
async function readOnce(caller: Caller, address: string, headers: Record<string, string>): Promise<Answer> {
  const key = `${caller} ${address} ${JSON.stringify(headers)}`;
  const answer = answers.get(key) ?? api.request('GET', address, { token: tokenOf(caller), headers });
  answers.set(key, answer);
  return answer;
}

const may = (caller: Caller, least: SuiteRole) =>
  caller === 'owner' || (caller !== 'stranger' && SUITE_ROLES.indexOf(caller) >= SUITE_ROLES.indexOf(least));

/** What a refused caller must not have changed. */
async function contentsOf({ suite: { id } }: Scene): Promise<unknown> {
  const { db } = api.ctx;
  const runs = db('test_runs').where({ test_suite_id: id });
  return Promise.all([
    db('test_suites').where({ id }).select(),
    db('site_pages').where({ test_suite_id: id }).orderBy('id').select(),
    db('test_suite_grants').where({ test_suite_id: id }).orderBy('id').select(),
    db('baseline_versions').where({ test_suite_id: id }).orderBy('id').select(),
    db('ignored_changes').where({ test_suite_id: id }).orderBy('id').select(),
    db('targets').where({ test_suite_id: id }).select(),
    db('suite_invitations').where({ test_suite_id: id }).orderBy('id').select(),
    runs.clone().orderBy('id').select(),
    db('page_results').whereIn('test_run_id', runs.clone().select('id')).orderBy('id').select(),
    db('run_assignees').whereIn('test_run_id', runs.clone().select('id')).select(),
  ]);
}

/** The rows of the table to which the forms of a page post. */
function rowsPostedTo(html: string): string[] {
  const forms = [...html.matchAll(/<form\b[^>]*method="post"[^>]*>/g)].map(([tag]) => /\baction="([^"]*)"/.exec(tag));
  const buttons = [...html.matchAll(/\bformaction="([^"]*)"/g)];
  return [...forms, ...buttons].flatMap((match) => {
    const [path = ''] = (match?.[1] ?? '').replaceAll('&amp;', '&').split('?');
    const row = ROUTES.find(({ method, path: template }) => {
      const pattern = template.replaceAll(/:deliveryId/g, '\\d+').replaceAll(/:\w+/g, '[0-9a-f-]{36}');
      return method === 'post' && new RegExp(`^${pattern}$`).test(path);
    });
    return [row?.path ?? `no row: ${path}`];
  });
}

describe('the table of the pages', () => {
  it('has every row in one of the tables of this test', () => {
    const here = [
      ...READS.map(({ row }) => `GET ${row}`),
      ...CHANGES.map(({ row }) => `POST ${row}`),
      ...ROLELESS,
      ...OPEN,
    ];
    const there = ROUTES.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(there.toSorted()).toEqual([...new Set(here)].toSorted());
  });

  it('asks in every row of a suite or a run for what the least role here may do', () => {
    const least = new Map<string, SuiteRole>([
      ...READS.map(({ row, least = 'VIEWER' }) => [`get ${row}`, least] as const),
      ...CHANGES.map((change) => [`post ${change.row}`, change.least] as const),
    ]);
    const other = ROUTES.flatMap(({ method, path, permission }) => {
      const row = `${method} ${path}`;
      const asked = permission === undefined ? undefined : leastRole(permission);
      return asked === least.get(row) ? [] : [`${row}: ${asked ?? 'nothing'}`];
    });
    expect(other.filter((row) => !BEYOND_THE_TABLE.some((path) => row.includes(path)))).toEqual([]);
  });

  it('is open to nobody who is not signed in, but for what leads there', () => {
    const open = ROUTES.filter(({ access }) => access === 'optional');
    expect(open.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted()).toEqual(OPEN.toSorted());
  });
});

describe('who is not signed in', () => {
  const rows = ROUTES.filter(({ access }) => access === 'viewer');

  it.each(rows)('is led to the sign-in from $method $path, and from a part of it', async ({ method, path }) => {
    const address = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000');
    const ask = async (headers: Record<string, string>) =>
      method === 'post'
        ? postForm(api, address, {}, { headers })
        : api.request('GET', address, { headers: { ...HTML, ...headers } });
    const [status, to] = ledTo(await ask({}));
    expect(status).toBe(303);
    expect(to).toMatch(/^\/sign-in(\?next=|$)/);
    const part = await ask(ON_PAGE);
    expect([part.status, part.headers.get('hx-redirect')]).toEqual([204, '/sign-in?next=%2Fsuites%3Fscope%3DOWNED']);
  });
});

describe('what a role sees', () => {
  it.each(READS)('on $row is there for who has one that suffices, and for nobody else', async (read) => {
    const { at, least = 'VIEWER', status = 200, part } = read;
    for (const caller of CALLERS) {
      const answer = await readOnce(caller, at(shared), part === true ? { ...HTML, ...ON_PAGE } : HTML);
      expect([caller, answer.status]).toEqual([
        caller,
        caller === 'stranger' ? 404 : may(caller, least) ? status : 403,
      ]);
    }
  });

  it.each(CALLERS)('as %s are the forms for what it may do, and no others', async (caller) => {
    const seen = new Set<string>();
    for (const { at, least = 'VIEWER' } of READS) {
      if (least !== 'VIEWER' && !may(caller, least)) continue;
      const { body } = await readOnce(caller, at(shared), HTML);
      rowsPostedTo(String(body)).forEach((row) => seen.add(row));
    }
    const allowed = CHANGES.filter(({ least, unseen }) => unseen !== true && may(caller, least));
    const always = ['/theme', '/sign-out'];
    expect([...seen].toSorted()).toEqual([...always, ...allowed.map(({ row }) => row)].toSorted());
  });
});

describe.each(CHANGES)('posting to $row', ({ least, post, status = 303 }) => {
  const refused = CALLERS.filter((caller) => !may(caller, least));

  it(`by hand is refused to ${refused.join(', ')}, and nothing changes`, async () => {
    const [path, fields] = post(shared);
    const before = await contentsOf(shared);
    for (const caller of refused) {
      const { status } = await postForm(api, path, fields, { token: tokenOf(caller) });
      expect([caller, status]).toEqual([caller, caller === 'stranger' ? 404 : 403]);
    }
    expect(await contentsOf(shared)).toEqual(before);
  });

  it('from the page of another site is refused to everybody', async () => {
    const [path, fields] = post(shared);
    const foreign = { origin: 'https://elsewhere.example', cookie: `pixelgate_session=${owner.token}` };
    expect((await postForm(api, path, fields, { headers: foreign })).status).toBe(403);
  });

  it(`is open to ${least}`, async () => {
    const [path, fields] = post(await newScene(api, { owner, bystander, members: people }));
    const answer = await postForm(api, path, fields, { token: tokenOf(least) });
    expect(answer.status).toBe(status);
  });
});
