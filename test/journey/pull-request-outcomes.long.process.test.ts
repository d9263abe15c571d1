import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deploymentDelivery, mergeGroupDelivery, pushDelivery, statusDelivery } from '../support/github-deliveries.ts';
import { pullRequest } from '../support/pull-request-events.ts';
import { ADA, pageOf, startJourney, type Journey } from '../support/pull-request-journey.ts';
import { html, startSmallSite, type SmallSite } from '../support/small-site.ts';

const LONG_MS = 180_000;
const FILE = '.github/pixelgate.yml';
const CAN_NOT = 'The preview deployment could not be captured';

let journey: Journey;
let previews: SmallSite[];

/** A preview that responds like this at every path. */
async function previewOf(page: ReturnType<SmallSite['pages']['get']>): Promise<SmallSite> {
  const pages: SmallSite['pages'] = new Map();
  pages.get = () => page;
  return startSmallSite(pages);
}

beforeAll(async () => {
  [journey, ...previews] = await Promise.all([
    startJourney(),
    previewOf((response) => response.writeHead(302, { location: 'http://login.test/' }).end()),
    previewOf((response) => response.writeHead(401).end('Who is there?')),
    previewOf(html('Sign in', '<form>Who is there?</form>')),
  ]);
  journey.preview.pages.set('/prices', pageOf('#e00'));
}, LONG_MS);
afterAll(async () => {
  await Promise.all([journey.stop(), ...previews.map((preview) => preview.stop())]);
}, LONG_MS);

it(
  'fails the check once, with the reason, where a preview is a login',
  async () => {
    const reasons = [
      'redirects to login.test, which looks like a login',
      'requires a login',
      'shows the same page at every path',
    ];
    for (const [index, preview] of previews.entries()) {
      const pull = pullRequest(journey, 10 + index);
      const head = pull.commit();
      await journey.tell(pull.event('opened', { headSha: head }), pull.deployed(head, preview.origin));
      const check = await pull.check(head, 'completed/failure');
      expect(check.output?.title).toBe(CAN_NOT);
      expect(check.output?.summary).toContain(reasons[index]);
      expect(check.output?.summary).not.toContain('| --- |');
      expect(check.actions).toEqual([]);
    }
  },
  LONG_MS,
);

it(
  'does as the file of the repository says, and quotes the line that is broken',
  async () => {
    const { world } = journey.github;
    const { changed, defaultBranch, files } = world.repository;
    const draft = pullRequest(journey, 20);
    const first = draft.commit({ [FILE]: 'ignoreDrafts: true\n' });
    await journey.tell(draft.event('opened', { headSha: first, draft: true }), draft.deployed(first));
    const ignored = await draft.check(first, 'completed/cancelled');
    expect(ignored.output?.title).toBe('Draft pull requests are not captured');
    await journey.tell(draft.event('ready_for_review', { headSha: first, after: 60 }));

    const paths = pullRequest(journey, 21);
    const onlyWeb = 'paths:\n  - web/**\n';
    files.set(`${defaultBranch}:${FILE}`, onlyWeb);
    changed.set(21, ['docs/readme.md']);
    const second = paths.commit({ [FILE]: onlyWeb });
    await journey.tell(paths.event('opened', { headSha: second }), paths.deployed(second));
    const unchanged = await paths.check(second, 'completed/neutral');
    expect(unchanged.output?.title).toBe('No changed files affect the pages');
    files.delete(`${defaultBranch}:${FILE}`);

    const broken = pullRequest(journey, 22);
    const third = broken.commit({ [FILE]: '# ours\nignoreDrafts: perhaps\n' });
    await journey.tell(broken.event('opened', { headSha: third }));
    const failed = await broken.check(third, 'completed/failure');
    expect(failed.output?.summary).toContain(
      '.github/pixelgate.yml, line 2, column 15: ignoreDrafts must be true or false',
    );
    expect(failed.output?.summary).toContain('2 | ignoreDrafts: perhaps');

    const template = pullRequest(journey, 23);
    const fourth = template.commit({ [FILE]: `previewUrl: ${journey.preview.origin}/?of={number}\n` });
    await journey.tell(
      template.event('opened', { headSha: fourth }),
      statusDelivery(world, { sha: fourth, url: journey.preview.origin }),
    );
    const captured = await template.check(fourth, 'completed/action_required');
    expect(captured.output?.summary).toContain(`${journey.preview.origin}/?of=23`);
    await draft.check(first, 'completed/action_required');
    expect(journey.github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'takes the configuration that is pushed, and lets a pull request go by its own version',
  async () => {
    const { world } = journey.github;
    const { defaultBranch, files } = world.repository;
    const suite = `/test-suites/${journey.suiteId}`;
    files.set(`${defaultBranch}:${FILE}`, 'locale: de-DE\n');
    await journey.tell(pushDelivery(world));
    const taken = await journey.api().until(suite, ({ configFile }) => configFile !== null);
    expect(taken).toMatchObject({ config: { locale: 'de-DE' }, configFile: { settings: [{ path: 'config.locale' }] } });
    const refused = await journey.api().call('PATCH', suite, { config: { locale: 'fr-FR' } }, 409);
    expect(refused.details.code).toBe('set_by_config_file');

    const pull = pullRequest(journey, 25);
    const head = pull.commit({ [FILE]: 'locale: de-DE\nfailureThreshold: 100\n' });
    await journey.tell(pull.event('opened', { headSha: head }), pull.deployed(head));
    const check = await pull.check(head, 'completed/action_required');
    expect(check.output?.title).toBe('Settings changed: review required (no visual changes)');
    expect(check.output?.summary).toContain(
      'changes the configuration in `.github/pixelgate.yml`: `failureThreshold`.',
    );

    files.delete(`${defaultBranch}:${FILE}`);
    await journey.tell(pushDelivery(world));
    await journey.api().until(suite, ({ configFile }) => configFile === null);
    const { config } = await journey.api().call('PATCH', suite, { config: { locale: null } });
    expect(config.locale).toBe('en-US');
    expect(journey.github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'passes a group of the merge queue when its pull request has passed, and fails it before',
  async () => {
    const { world } = journey.github;
    const pull = pullRequest(journey, 30);
    const [head, group, next] = [pull.commit(), pull.commit(), pull.commit()];
    await journey.tell(pull.event('opened', { headSha: head }), pull.deployed(head));
    const check = await pull.check(head, 'completed/action_required');
    await journey.tell(mergeGroupDelivery(world, { headSha: group, last: 30 }));
    const failed = await pull.check(group, 'completed/failure');
    expect(failed.output?.title).toBe('Visual review not passed: #30');
    await journey.api().call('POST', `/test-runs/${check.external_id}/approve-visuals`);
    await pull.check(head, 'completed/success');
    const delivery = mergeGroupDelivery(world, { headSha: next, last: 30 });
    await journey.tell(delivery, delivery);
    await pull.check(next, 'completed/success');
    expect(pull.checks(next)).toHaveLength(1);
  },
  LONG_MS,
);

it(
  'promotes an approval that comes after the merge, and looks at the site itself where that is asked for',
  async () => {
    const pull = pullRequest(journey, 40);
    const head = pull.commit();
    const merge = pull.commit({ [FILE]: 'runAfterMerge: true\n' });
    await journey.tell(pull.event('opened', { headSha: head }), pull.deployed(head));
    const check = await pull.check(head, 'completed/action_required');
    const merged = pull.event('merged', { headSha: head, after: 60, mergeCommitSha: merge });
    await journey.tell(merged, merged, pull.event('opened', { headSha: head }));
    const runs = `/test-runs?testSuiteId=${journey.suiteId}`;
    const isLooked = ({ testRuns: [run] }: any) => run.runType === 'MANUAL' && run.status === 'COMPLETED';
    const { testRuns } = await journey.api().until(runs, isLooked);
    expect(testRuns[0].reviewState).toBe('NOT_REQUIRED');
    expect(await journey.versions()).toHaveLength(1);

    await journey.api().call('POST', `/test-runs/${check.external_id}/approve-visuals`);
    const versions = `/baseline-versions?suiteId=${journey.suiteId}&path=/prices`;
    const [newest] = await journey.api().until(versions, (all) => all.length === 2);
    expect(newest).toMatchObject({ version: 2, source: 'PR_MERGE', prNumber: 40, approvedBy: { email: ADA.email } });
    await pull.check(head, 'completed/success');
  },
  LONG_MS,
);

it(
  'cancels the check of a pull request that is closed, and makes another when it is open again',
  async () => {
    const pull = pullRequest(journey, 50);
    const head = pull.commit();
    await journey.tell(pull.event('opened', { headSha: head }));
    await pull.check(head, 'queued');
    await journey.tell(pull.event('closed', { headSha: head, after: 60 }));
    const closed = await pull.check(head, 'completed/cancelled');
    expect(closed.output?.title).toBe('The pull request was closed');
    await journey.tell(pull.event('reopened', { headSha: head, after: 120 }));
    await pull.check(head, 'queued');
    expect(pull.checks(head)).toHaveLength(2);
    expect(journey.github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'times the check out when no preview comes, and fails it at once with the deployment that failed',
  async () => {
    journey.preview.pages.set('/prices', pageOf('#00e'));
    await journey.restart({ PREVIEW_TIMEOUT: '4s' });
    const { world } = journey.github;
    const late = pullRequest(journey, 60);
    const head = late.commit();
    await journey.tell(late.event('opened', { headSha: head }));
    const check = await late.check(head, 'completed/timed_out');
    expect(check.output?.title).toBe('No preview deployment arrived');
    await journey.tell(late.deployed(head));
    await late.check(head, 'completed/action_required');
    expect(late.checks(head)).toHaveLength(2);

    const failing = pullRequest(journey, 61);
    const next = failing.commit();
    await journey.tell(failing.event('opened', { headSha: next }));
    await journey.tell(deploymentDelivery(world, { sha: next, url: '', state: 'failure' }));
    const failed = await failing.check(next, 'completed/failure');
    expect(failed.output?.title).toBe('The deployment of Preview failed');
    await journey.tell(failing.deployed(next));
    await failing.check(next, 'completed/action_required');
    expect(failing.checks(next)).toHaveLength(2);
  },
  LONG_MS,
);
