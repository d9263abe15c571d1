import { repositoryOf, sha } from '../webhooks/pull-request-payloads.ts';

/*
 * What hosts of previews send, with the fields that tell one from another. To add a host, add a row to
 * `src/github/previews/preview-hosts.ts` and its events here, as they were recorded, with what they say.
 */

export const HEAD = sha('c0ffee');

type Said = { host: string | null; project?: string; state: string; url?: string | null } | null;
export type RecordedEvent = { host: string; what: string; event: string; payload: object; says: Said };

const base = { repository: repositoryOf(), installation: { id: 12 } };

const deployment = (environment: string, creator: string, status: object, said: object = {}) => ({
  ...base,
  action: 'created',
  deployment: { id: 51, sha: HEAD, ref: 'feature/look', environment, creator: { login: creator }, ...said },
  deployment_status: {
    id: 71,
    environment,
    description: '',
    target_url: '',
    log_url: '',
    environment_url: '',
    ...status,
  },
});

const status = (context: string, state: string, description: string | null, target_url: string) => ({
  ...base,
  id: 61,
  sha: HEAD,
  context,
  state,
  description,
  target_url,
});

const check = (name: string, app: object, said: object) => ({
  ...base,
  action: 'completed',
  sender: { id: 1, login: 'bot' },
  check_run: {
    id: 81,
    head_sha: HEAD,
    external_id: '',
    check_suite: { head_branch: 'feature/look' },
    name,
    app,
    status: 'completed',
    conclusion: 'success',
    started_at: '2026-01-01T00:00:00Z',
    completed_at: '2026-01-01T00:01:00Z',
    html_url: 'https://github.com/acme/site/runs/81',
    output: { title: null, summary: null, text: null },
    ...said,
  },
});

const dispatch = (action: string, environment = 'preview') => ({
  ...base,
  action,
  branch: 'main',
  sender: { id: 1, login: 'vercel[bot]' },
  client_payload: {
    environment,
    git: { ref: 'feature/look', sha: HEAD, shortSha: HEAD.slice(0, 7) },
    id: 'dpl_1234567890abcdefghijklmnopqrstuvwxyz',
    project: { id: 'prj_abcdef1234567890abcdef1234567890', name: 'docs' },
    state: { type: 'pending' },
    url: 'https://docs-abc123-acme.vercel.app',
  },
});

const PAGES = { id: 85_455, slug: 'cloudflare-workers-and-pages' };
const AMPLIFY = { id: 56_611, slug: 'aws-amplify-us-east-1' };
const VERCEL = 'vercel[bot]';
const ACTIONS = 'github-actions[bot]';
const log = 'https://github.com/acme/site/actions/runs/1/job/2';

const pagesSummary = (label: string) => `<table>
<tr><td><strong>Latest commit:</strong></td><td><code>c0ffee0</code></td></tr>
<tr><td><strong>Status:</strong></td><td>&nbsp;✅&nbsp; Deploy successful!</td></tr>
<tr><td><strong>${label}</strong></td><td><a href='https://1a2b3c4d.docs-7ab.pages.dev'>https://1a2b3c4d.docs-7ab.pages.dev</a></td></tr>
<tr><td><strong>Branch Preview URL:</strong></td><td><a href='https://feature-look.docs-7ab.pages.dev'>https://feature-look.docs-7ab.pages.dev</a></td></tr>
</table>
[View logs](https://dash.cloudflare.com/?to=/:account/pages/view/docs/1a2b)`;

const row = (host: string, what: string, event: string, payload: object, says: Said): RecordedEvent => ({
  host,
  what,
  event,
  payload,
  says,
});

const DEPLOYED = 'deployment_status';
const PAGES_DASH = 'https://dash.cloudflare.com/?to=/:account/pages/view/docs/1a2b';

export const RECORDED: RecordedEvent[] = [
  row(
    'Vercel',
    'of its only project',
    DEPLOYED,
    deployment('Preview', VERCEL, { state: 'success', environment_url: 'https://site-git-look-acme.vercel.app' }),
    { host: 'Vercel', state: 'READY', url: 'https://site-git-look-acme.vercel.app/' },
  ),
  row(
    'Vercel',
    'of one of several projects, on a domain of the team',
    DEPLOYED,
    deployment('Preview – docs', VERCEL, {
      state: 'success',
      environment_url: 'https://look.preview.acme.dev',
      target_url: 'https://look.preview.acme.dev',
    }),
    { host: 'Vercel', project: 'docs', state: 'READY', url: 'https://look.preview.acme.dev/' },
  ),
  row(
    'Vercel',
    'that is being built',
    DEPLOYED,
    deployment('Preview – docs', VERCEL, { state: 'pending', target_url: 'https://vercel.com/acme/docs/4xY' }),
    { host: 'Vercel', project: 'docs', state: 'PENDING' },
  ),
  row(
    'Vercel',
    'that failed',
    DEPLOYED,
    deployment('Preview – docs', VERCEL, { state: 'failure', target_url: 'https://vercel.com/acme/docs/4xY' }),
    { host: 'Vercel', project: 'docs', state: 'FAILED' },
  ),
  row(
    'Vercel',
    'that was canceled',
    DEPLOYED,
    deployment('Preview – docs', VERCEL, { state: 'error', description: 'Canceled from the Vercel Dashboard' }),
    { host: 'Vercel', project: 'docs', state: 'SKIPPED' },
  ),
  row(
    'Vercel',
    'of production',
    DEPLOYED,
    deployment('Production – docs', VERCEL, { state: 'success', environment_url: 'https://acme.dev' }),
    null,
  ),
  row(
    'Vercel',
    'its own commit status, which links to the dashboard',
    'status',
    status('Vercel – docs', 'success', 'Deployment has completed', 'https://vercel.com/acme/docs/4xY'),
    { host: null, state: 'READY' },
  ),
  row('Vercel', 'dispatched: ready', 'repository_dispatch', dispatch('vercel.deployment.ready'), {
    host: 'Vercel',
    project: 'docs',
    state: 'READY',
    url: 'https://docs-abc123-acme.vercel.app/',
  }),
  row('Vercel', 'dispatched: left out by a command', 'repository_dispatch', dispatch('vercel.deployment.ignored'), {
    host: 'Vercel',
    project: 'docs',
    state: 'SKIPPED',
  }),
  row('Vercel', 'dispatched: left out as unaffected', 'repository_dispatch', dispatch('vercel.deployment.skipped'), {
    host: 'Vercel',
    project: 'docs',
    state: 'SKIPPED',
  }),
  row('Vercel', 'dispatched: canceled', 'repository_dispatch', dispatch('vercel.deployment.canceled'), {
    host: 'Vercel',
    project: 'docs',
    state: 'SKIPPED',
  }),
  row('Vercel', 'dispatched: failed', 'repository_dispatch', dispatch('vercel.deployment.error'), {
    host: 'Vercel',
    project: 'docs',
    state: 'FAILED',
  }),
  row('Vercel', 'dispatched: promoted', 'repository_dispatch', dispatch('vercel.deployment.promoted'), null),
  row(
    'Vercel',
    'dispatched: of production',
    'repository_dispatch',
    dispatch('vercel.deployment.success', 'production'),
    null,
  ),
  row(
    'none',
    'dispatched by a program of the team',
    'repository_dispatch',
    { ...base, action: 'release', client_payload: { version: 7 } },
    null,
  ),
  row(
    'Netlify',
    'that is up',
    'status',
    status(
      'netlify/docs/deploy-preview',
      'success',
      'Deploy Preview ready!',
      'https://deploy-preview-7--docs.netlify.app',
    ),
    { host: 'Netlify', project: 'docs', state: 'READY', url: 'https://deploy-preview-7--docs.netlify.app/' },
  ),
  row(
    'Netlify',
    'that is being built',
    'status',
    status(
      'netlify/docs/deploy-preview',
      'pending',
      'Deploy Preview processing.',
      'https://app.netlify.com/sites/docs/deploys/1',
    ),
    { host: 'Netlify', project: 'docs', state: 'PENDING' },
  ),
  row(
    'Netlify',
    'that was canceled, a success as well',
    'status',
    status(
      'netlify/docs/deploy-preview',
      'success',
      'Deploy Preview canceled.',
      'https://deploy-preview-7--docs.netlify.app',
    ),
    { host: 'Netlify', project: 'docs', state: 'SKIPPED' },
  ),
  row(
    'Netlify',
    'that failed',
    'status',
    status(
      'netlify/docs/deploy-preview',
      'failure',
      'Deploy Preview failed.',
      'https://app.netlify.com/sites/docs/deploys/1',
    ),
    { host: 'Netlify', project: 'docs', state: 'FAILED' },
  ),
  row(
    'Netlify',
    'a success that does not say ready',
    'status',
    status('netlify/docs/deploy-preview', 'success', null, 'https://deploy-preview-7--docs.netlify.app'),
    null,
  ),
  row(
    'Netlify',
    'an address elsewhere',
    'status',
    status('netlify/docs/deploy-preview', 'success', 'Deploy Preview ready!', 'https://netlify.app.evil.test'),
    { host: 'Netlify', project: 'docs', state: 'READY' },
  ),
  row(
    'Netlify',
    'the old context, of the admin page',
    'status',
    status('deploy/netlify', 'success', 'Deploy preview ready!', 'https://app.netlify.com/sites/docs/deploys/1'),
    { host: null, state: 'READY' },
  ),
  row(
    'Cloudflare',
    'of Pages',
    'check_run',
    check('Cloudflare Pages', PAGES, {
      details_url: PAGES_DASH,
      output: { title: 'Deployed successfully', summary: pagesSummary('Preview URL:'), text: null },
    }),
    { host: 'Cloudflare', project: 'docs', state: 'READY', url: 'https://1a2b3c4d.docs-7ab.pages.dev/' },
  ),
  row(
    'Cloudflare',
    'of Workers',
    'check_run',
    check('Workers Builds: shop', PAGES, {
      details_url: 'https://dash.cloudflare.com/a/workers/services/view/shop/production/builds/1',
      output: {
        title: 'Build successful',
        summary:
          'Preview URL: https://1a2b-shop.acme.workers.dev\nBranch Preview URL: https://feature-look-shop.acme.workers.dev',
        text: null,
      },
    }),
    { host: 'Cloudflare', project: 'shop', state: 'READY', url: 'https://1a2b-shop.acme.workers.dev/' },
  ),
  row(
    'Cloudflare',
    'that is being built',
    'check_run',
    {
      ...check('Cloudflare Pages', PAGES, {
        details_url: PAGES_DASH,
        status: 'in_progress',
        conclusion: null,
        completed_at: null,
      }),
      action: 'created',
    },
    { host: 'Cloudflare', project: 'docs', state: 'PENDING' },
  ),
  row(
    'Cloudflare',
    'that failed',
    'check_run',
    check('Cloudflare Pages', PAGES, {
      details_url: PAGES_DASH,
      conclusion: 'failure',
      output: { title: 'Build failed', summary: '[View logs](https://dash.cloudflare.com)', text: null },
    }),
    { host: 'Cloudflare', project: 'docs', state: 'FAILED' },
  ),
  row('Cloudflare', 'that was left out', 'check_run', check('Workers Builds: shop', PAGES, { conclusion: 'skipped' }), {
    host: 'Cloudflare',
    project: 'shop',
    state: 'SKIPPED',
  }),
  row(
    'Cloudflare',
    'by the wrangler action',
    DEPLOYED,
    deployment('docs (Preview)', ACTIONS, {
      state: 'success',
      description: 'Cloudflare Pages',
      environment_url: 'https://1a2b3c4d.docs.pages.dev',
      log_url: 'https://dash.cloudflare.com/a/pages/view/docs/1',
    }),
    { host: 'Cloudflare', project: 'docs', state: 'READY', url: 'https://1a2b3c4d.docs.pages.dev/' },
  ),
  row(
    'none',
    'the name of a check of Cloudflare, from another App',
    'check_run',
    check(
      'Cloudflare Pages',
      { id: 7, slug: 'not-cloudflare' },
      { details_url: 'https://evil.test/', output: { title: null, summary: pagesSummary('Preview URL:'), text: null } },
    ),
    { host: null, state: 'READY', url: 'https://evil.test/' },
  ),
  row(
    'AWS Amplify',
    'that is up',
    'check_run',
    check('AWS Amplify Console Web Preview', AMPLIFY, { details_url: 'https://pr-7.d1abc2def.amplifyapp.com' }),
    { host: 'AWS Amplify', state: 'READY', url: 'https://pr-7.d1abc2def.amplifyapp.com/' },
  ),
  row(
    'AWS Amplify',
    'that failed',
    'check_run',
    check('AWS Amplify Console Web Preview', AMPLIFY, {
      conclusion: 'failure',
      details_url: 'https://us-east-1.console.aws.amazon.com/amplify/home#/d1abc2def',
    }),
    { host: 'AWS Amplify', state: 'FAILED' },
  ),
  row(
    'Heroku',
    'with its address',
    DEPLOYED,
    deployment('site-pr-7', 'heroku[bot]', {
      state: 'success',
      environment_url: 'https://site-pr-7-0b1c2d3e.herokuapp.com',
      target_url: 'https://dashboard.heroku.com/apps/site-pr-7/activity/builds/1',
    }),
    { host: 'Heroku', state: 'READY', url: 'https://site-pr-7-0b1c2d3e.herokuapp.com/' },
  ),
  row(
    'Heroku',
    'without its address, which is that of the app',
    DEPLOYED,
    deployment('site-pr-7', 'ann', {
      state: 'success',
      target_url: 'https://dashboard.heroku.com/apps/site-pr-7/activity/builds/1',
    }),
    { host: 'Heroku', state: 'READY', url: 'https://site-pr-7.herokuapp.com/' },
  ),
  row(
    'Heroku',
    'that expired',
    DEPLOYED,
    deployment('site-pr-7', 'heroku[bot]', { state: 'inactive', environment_url: 'https://site-pr-7.herokuapp.com' }),
    null,
  ),
  row(
    'Render',
    'that is up',
    DEPLOYED,
    deployment('docs - PR #7', 'render[bot]', {
      state: 'success',
      environment_url: 'https://docs-pr-7.onrender.com',
      log_url: 'https://dashboard.render.com/web/srv-1',
    }),
    { host: 'Render', project: 'docs', state: 'READY', url: 'https://docs-pr-7.onrender.com/' },
  ),
  row(
    'Railway',
    'that is up',
    DEPLOYED,
    deployment('acme / acme-pr-7', 'railway-app[bot]', {
      state: 'success',
      environment_url: 'https://web-acme-pr-7.up.railway.app',
      log_url: 'https://railway.app/project/1/service/2',
    }),
    { host: 'Railway', state: 'READY', url: 'https://web-acme-pr-7.up.railway.app/' },
  ),
  row(
    'Railway',
    'with a link to the dashboard only',
    DEPLOYED,
    deployment('acme / acme-pr-7', 'railway-app[bot]', {
      state: 'success',
      environment_url: 'https://railway.com/project/1',
    }),
    { host: 'Railway', state: 'READY' },
  ),
  row(
    'Fly',
    'by GitHub Actions',
    DEPLOYED,
    deployment('review', ACTIONS, {
      state: 'success',
      environment_url: 'https://pr-7-acme-site.fly.dev',
      target_url: log,
      log_url: log,
    }),
    { host: 'Fly', state: 'READY', url: 'https://pr-7-acme-site.fly.dev/' },
  ),
  row(
    'Azure',
    'by GitHub Actions',
    DEPLOYED,
    deployment('preview', ACTIONS, {
      state: 'success',
      environment_url: 'https://calm-sea-0a1b2c-7.westeurope.1.azurestaticapps.net',
      target_url: log,
    }),
    {
      host: 'Azure Static Web Apps',
      state: 'READY',
      url: 'https://calm-sea-0a1b2c-7.westeurope.1.azurestaticapps.net/',
    },
  ),
  row(
    'GitHub Actions',
    'a job with an address',
    DEPLOYED,
    deployment('preview', ACTIONS, {
      state: 'success',
      environment_url: 'https://pr-7.acme.dev',
      target_url: log,
      log_url: log,
    }),
    { host: 'pr-7.acme.dev', state: 'READY', url: 'https://pr-7.acme.dev/' },
  ),
  row(
    'GitHub Actions',
    'a job without one, which links to its log',
    DEPLOYED,
    deployment('preview', ACTIONS, { state: 'success', target_url: log, log_url: log }),
    { host: null, state: 'READY' },
  ),
  row(
    'GitHub Actions',
    'a job that waits for an approval',
    DEPLOYED,
    deployment('preview', ACTIONS, { state: 'waiting', target_url: log }),
    { host: null, state: 'PENDING' },
  ),
  row(
    'GitHub Pages',
    'which is the site itself',
    DEPLOYED,
    deployment('github-pages', ACTIONS, { state: 'success', environment_url: 'https://acme.github.io/site/' }),
    null,
  ),
  row(
    'none',
    'a host that says so only in its target',
    DEPLOYED,
    deployment('review', 'ann', { state: 'success', target_url: 'https://review-7.acme.dev' }),
    { host: 'review-7.acme.dev', state: 'READY', url: 'https://review-7.acme.dev/' },
  ),
  row('none', 'a build', 'status', status('ci/build', 'failure', 'Your tests failed', 'https://ci.test/1'), {
    host: null,
    state: 'FAILED',
  }),
];
