import type { Page } from 'playwright';
import type { Stage, Visitor } from './stage.ts';

/** One page of the product in one state. */
export type Place = {
  /** The part of the product, then the state. */
  name: string;
  at: (stage: Stage) => string;
  /** Default: the owner of everything. */
  who?: Visitor;
  /** What to do there before the picture is taken. */
  act?: (page: Page) => Promise<unknown>;
  /** Also in a very wide window. */
  wide?: true;
};

type Key = keyof Stage;

const suite =
  (of: Key, rest = '') =>
  (stage: Stage) =>
    `/suites/${stage[of]}${rest}`;

const run =
  (of: Key, rest = '') =>
  (stage: Stage) =>
    `/runs/${stage[of]}${rest}`;

const result =
  (of: Key, query = '', inRun: Key = 'branchRun') =>
  (stage: Stage) =>
    `/runs/${stage[inRun]}/results/${stage[of]}${query}`;

const history =
  (of: Key, rest = '') =>
  (stage: Stage) =>
    `/suites/${stage.demo}/pages/${stage[of]}${rest}`;

const unfold = (name: string | RegExp) => async (page: Page) =>
  page.locator('summary:visible').filter({ hasText: name }).first().click();

const labelled = (name: string | RegExp) => async (page: Page) => page.getByLabel(name).first().click();

const press = (name: string | RegExp) => async (page: Page) => page.getByRole('button', { name }).first().click();

const keys = (key: string) => async (page: Page) => page.keyboard.press(key);

const send = (fields: Record<string, string>, button: string) => async (page: Page) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).first().fill(text);
  await page.locator('form').evaluateAll((forms) => forms.forEach((form) => form.setAttribute('novalidate', '')));
  await press(button)(page);
  await page.waitForLoadState();
};

const nobody = { who: 'nobody' } as const;
const newcomer = { who: 'newcomer' } as const;
const viewer = { who: 'viewer' } as const;
const NOTHING = '00000000-0000-4000-8000-000000000000';

const SIGNED_OUT: Place[] = [
  { name: 'Sign in', at: () => '/sign-in', ...nobody, wide: true },
  {
    name: 'Sign in: rejected',
    at: () => '/sign-in',
    ...nobody,
    act: send({ 'Email address': 'a@example.com', Password: 'wrong' }, 'Sign in'),
  },
  { name: 'Sign in: link that lapsed', at: () => '/sign-in/lapsed', ...nobody },
  { name: 'Register', at: () => '/register', ...nobody },
  {
    name: 'Register: rejected',
    at: () => '/register',
    ...nobody,
    act: send({ 'Email address': 'no address', Password: 'short' }, 'Create account'),
  },
  { name: 'Forgot password', at: () => '/forgot-password', ...nobody },
  {
    name: 'Forgot password: sent',
    at: () => '/forgot-password',
    ...nobody,
    act: send({ 'Email address': 'a@example.com' }, 'Send reset link'),
  },
  { name: 'Reset password', at: () => '/reset-password?token=x', ...nobody },
  { name: 'Reset password: no token', at: () => '/reset-password', ...nobody },
  { name: 'Invitation that lapsed', at: () => '/invitations/lapsed', ...nobody },
  { name: 'Not found, signed out', at: () => '/nowhere', ...nobody },
];

const EMPTY: Place[] = [
  { name: 'Dashboard: empty', at: () => '/', ...newcomer },
  { name: 'Suites: empty', at: () => '/suites', ...newcomer },
  { name: 'Single pages: empty', at: () => '/single-pages', ...newcomer },
  { name: 'Runs: empty', at: () => '/runs', ...newcomer },
  { name: 'API tokens: empty', at: () => '/account/tokens', ...newcomer },
  { name: 'Account: new', at: () => '/account', ...newcomer },
];

const GENERAL: Place[] = [
  { name: 'Dashboard', at: () => '/', wide: true },
  { name: 'Account menu', at: () => '/', act: labelled(/^Account menu/) },
  { name: 'Suites', at: () => '/suites', wide: true },
  { name: 'Suites: no match', at: () => '/suites?scope=SHARED' },
  { name: 'Single pages', at: () => '/single-pages' },
  { name: 'Single page', at: suite('single') },
  { name: 'New single page', at: () => '/single-pages/new' },
  {
    name: 'New single page: rejected',
    at: () => '/single-pages/new',
    act: send({ URL: 'nowhere' }, 'Add page'),
  },
  { name: 'Runs', at: () => '/runs', wide: true },
  { name: 'Runs: filtered', at: () => '/runs?status=FAILED' },
  { name: 'Runs: no match', at: () => '/runs?search=nothing' },
  { name: 'Search', at: () => '/search?q=prices' },
  { name: 'Account', at: () => '/account', wide: true },
  {
    name: 'Account: rejected',
    at: () => '/account',
    ...newcomer,
    act: send({ 'Current password': 'wrong', 'New password': 'short' }, 'Change password'),
  },
  { name: 'Email', at: () => '/account/email' },
  { name: 'Unsubscribe: no longer valid', at: () => '/unsubscribe/nobody', ...nobody },
  { name: 'API tokens', at: () => '/account/tokens' },
  { name: 'API token created', at: () => '/account/tokens', act: send({ Name: 'Script' }, 'Create token') },
  { name: 'GitHub setup', at: () => '/setup' },
  { name: 'GitHub App installed', at: () => '/setup/installed' },
  { name: 'Not found', at: suite('demo', `x`) },
  { name: 'Not found: run', at: () => `/runs/${NOTHING}` },
  { name: 'API', at: () => '/api/docs', act: async (page) => page.locator('.opblock').first().waitFor() },
];

const SUITES: Place[] = [
  { name: 'New suite', at: () => '/suites/new', wide: true },
  { name: 'New suite: options', at: () => '/suites/new', act: unfold('Options') },
  { name: 'New suite: look', at: ({ look }) => `/suites/looks/${look}` },
  { name: 'New suite: rejected', at: () => '/suites/new', act: send({ 'Base URL': 'ftp://x' }, 'Create suite') },
  { name: 'Suite', at: suite('demo'), wide: true },
  { name: 'Suite: new, waiting for its crawl', at: suite('fresh') },
  { name: 'Suite: crawl failed', at: suite('unreachable') },
  { name: 'Suite: linked', at: suite('linked') },
  { name: 'Suite: as a viewer', at: suite('demo'), ...viewer },
  { name: 'Suite: no match', at: suite('demo', '?q=nothing') },
  { name: 'Suite: run against a preview', at: suite('demo'), act: unfold(/preview/i) },
  { name: 'Suite: add a page', at: suite('demo'), act: unfold('Add page') },
  {
    name: 'Suite: pages selected',
    at: suite('demo'),
    act: async (page) => page.locator('.pages input').first().check(),
  },
  { name: 'Suite: runs', at: suite('demo', '/runs') },
  { name: 'Suite: runs, none', at: suite('fresh', '/runs') },
  { name: 'Settings', at: suite('demo', '/settings'), wide: true },
  { name: 'Settings: rejected', at: suite('demo', '/settings'), act: send({ Name: '' }, 'Save settings') },
  { name: 'Settings: as a viewer', at: suite('demo', '/settings'), ...viewer },
  ...['viewports', 'crawl', 'capture', 'emulation', 'rules', 'compare', 'gate', 'pace', 'access'].map((tab): Place => ({
    name: `Settings: ${tab}`,
    at: suite('demo', `/settings#${tab}`),
  })),
  { name: 'Settings: delete', at: suite('demo', '/settings#danger'), act: unfold('Delete…') },
  { name: 'Settings: trial', at: (stage) => suite('demo', `/trials/${stage.trial}`)(stage) },
  { name: 'Access to the site', at: suite('demo', '/access') },
  { name: 'Access to the site: none', at: suite('fresh', '/access') },
  { name: 'Ignored changes', at: suite('demo', '/ignored-changes') },
  { name: 'Suite tokens', at: suite('demo', '/tokens') },
  { name: 'Suite tokens: none', at: suite('fresh', '/tokens') },
  { name: 'Sharing', at: suite('demo', '/sharing') },
  { name: 'Storage of a suite', at: suite('demo', '/storage') },
  { name: 'Hand over a suite', at: suite('demo', '/leave') },
  { name: 'Storage', at: () => '/storage' },
  { name: 'Notices', at: suite('demo', '/notices') },
  { name: 'Notices: none', at: suite('fresh', '/notices?kind=TEAMS') },
  {
    name: 'Notices: rejected',
    at: suite('demo', '/notices'),
    act: send({ Name: '', Address: 'ftp://x' }, 'Create'),
  },
  { name: 'Notices: target', at: (stage) => suite('demo', `/notices/${stage.target}`)(stage), wide: true },
  {
    name: 'Notices: request and answer',
    at: (stage) => suite('demo', `/notices/${stage.target}`)(stage),
    act: unfold('Request'),
  },
  { name: 'Notices of the installation', at: () => '/notices' },
  { name: 'Notices of the installation: nothing', at: () => `/notices/${NOTHING}` },
  { name: 'Audit log', at: suite('demo', '/audit'), wide: true },
  { name: 'Audit log: no match', at: suite('demo', '/audit?from=2001-01-01&to=2001-01-02') },
  { name: 'Audit log: as a viewer', at: suite('demo', '/audit'), ...viewer },
  { name: 'Audit log of the installation', at: () => '/audit' },
  { name: 'Accounts', at: () => '/admin/accounts' },
  { name: 'Account of nobody', at: () => `/admin/accounts/${NOTHING}` },
  { name: 'Sharing: new invitation', at: suite('demo', '/sharing'), act: press('Create link') },
  {
    name: 'Sharing: rejected',
    at: suite('demo', '/sharing'),
    act: send({ 'Email address': 'nobody@example.com' }, 'Share'),
  },
  { name: 'Repository: linked', at: suite('linked', '/repository'), wide: true },
  { name: 'Repository: not linked', at: suite('demo', '/repository') },
  { name: 'First check', at: suite('linked', '/first-check') },
];

const RUNS: Place[] = [
  { name: 'Run: review required', at: run('branchRun'), wide: true },
  { name: 'Run: by page', at: run('branchRun', '?view=pages') },
  { name: 'Run: variants of a change', at: (stage) => `/runs/${stage.branchRun}/changes/${stage.change}` },
  { name: 'Run: request changes', at: run('branchRun'), act: unfold('Request changes') },
  { name: 'Run: keys', at: run('branchRun'), act: keys('?') },
  { name: 'Run: no match', at: run('branchRun', '?search=nothing') },
  { name: 'Run: as a viewer', at: run('branchRun'), ...viewer },
  { name: 'Run: baselines captured', at: run('baselineRun') },
  { name: 'Run: pull request', at: run('pullRequestRun') },
  { name: 'Run: running', at: run('halfDoneRun') },
  { name: 'Run: waiting', at: run('waitingRun') },
  { name: 'Run: errors', at: run('errorRun') },
  { name: 'Run: failed', at: run('failedRun') },
  { name: 'Run: cancelled', at: run('cancelledRun') },
  { name: 'Log', at: run('branchRun', '/log'), wide: true },
  { name: 'Log: errors only', at: run('errorRun', '/log?type=ERROR') },
];

const REVIEW: Place[] = [
  { name: 'Review: side by side', at: result('changed'), wide: true },
  { name: 'Review: swipe', at: result('changed', '?mode=swipe') },
  { name: 'Review: onion skin', at: result('changed', '?mode=onion') },
  { name: 'Review: differences', at: result('changed', '?mode=overlay'), wide: true },
  { name: 'Review: blink', at: result('changed', '?mode=blink') },
  { name: 'Review: single', at: result('changed', '?mode=single') },
  { name: 'Review: taller', at: result('taller') },
  { name: 'Review: new page', at: result('added') },
  { name: 'Review: unchanged', at: result('unchanged') },
  { name: 'Review: approved', at: result('approved') },
  { name: 'Review: error', at: result('broken', '', 'errorRun') },
  { name: 'Review: settings and servers in doubt', at: result('doubted', '', 'pullRequestRun') },
  { name: 'Review: as a viewer', at: result('changed'), ...viewer },
  { name: 'Review: approve menu', at: result('changed'), act: labelled('Other ways to approve') },
  { name: 'Review: request changes', at: result('changed'), act: keys('c') },
  { name: 'Review: ignore', at: result('changed', '?panel=ignore') },
  { name: 'Review: comments', at: result('changed', '?panel=comments') },
  { name: 'Review: keys', at: result('changed'), act: keys('?') },
  {
    name: 'Review: list',
    at: result('changed'),
    // In a wide window it is always there.
    act: async (page) => {
      const label = page.locator('.review-list-label');
      if (await label.isVisible()) await label.click();
    },
  },
];

const HISTORY: Place[] = [
  { name: 'Page history', at: history('page'), wide: true },
  { name: 'Page history: restore', at: history('page'), act: unfold('Restore…') },
  { name: 'Page history: no baseline', at: history('emptyPage') },
  {
    name: 'Compare versions',
    at: (stage) => history('page', `/compare?from=${stage.oldVersion}&to=${stage.newVersion}`)(stage),
    wide: true,
  },
];

/** Every page and state, in the order of the sheet. */
export const PLACES: readonly Place[] = [
  ...SIGNED_OUT,
  ...EMPTY,
  ...GENERAL,
  ...SUITES,
  ...RUNS,
  ...REVIEW,
  ...HISTORY,
];
