import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import * as github from '../support/github-deliveries.ts';
import { serverError } from '../support/github-faults.ts';
import { commitOnto } from '../support/github-world.ts';
import { pullRequest } from '../support/pull-request-events.ts';
import { ADA, pageOf, startJourney, type Journey } from '../support/pull-request-journey.ts';
import { html } from '../support/small-site.ts';
import { SOON_AT_REST } from '../support/soon-at-rest.ts';

const LONG_MS = 180_000;
const MALLORY = { id: 66, login: 'mallory' };

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
}, LONG_MS);
afterAll(() => journey.stop(), LONG_MS);
beforeEach(() => {
  journey.preview.pages.set('/prices', pageOf('#e00'));
});

const press = (checkId: number, button: string, sender: { id: number; login: string }) =>
  journey.tell(github.checkRunDelivery(journey.github.world, { checkId, button, sender }));

it(
  'judges a stack, a branch that is behind, drift and a revert by what GitHub knows of their commits',
  async () => {
    const { world } = journey.github;
    const { site, preview } = journey;
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const [before, after] = [html('Home', '<h1>Home</h1>'), html('Home', '<h1>Welcome</h1>')];
    const [below, above, late, revert] = [41, 42, 43, 44].map((number) => pullRequest(journey, number));
    if (below === undefined || above === undefined || late === undefined || revert === undefined) return;
    const root = commitOnto(world, null, 'root', { at: minutesAgo(90), branch: 'master' });
    const lower = commitOnto(world, root, 'lower', { at: minutesAgo(80) });
    const upper = commitOnto(world, lower, 'upper', { at: minutesAgo(70) });
    const behind = commitOnto(world, root, 'behind', { at: minutesAgo(60) });
    const merge = commitOnto(world, root, 'merge', { at: minutesAgo(1), branch: 'master' });

    preview.pages.set('/prices', pageOf('#eee'));
    preview.pages.set('/', after);
    const events = [
      above.deployed(upper),
      above.event('opened', { headSha: upper, branch: 'upper', base: 'lower' }),
      below.event('opened', { headSha: lower, branch: 'lower' }),
      below.deployed(lower),
    ];
    journey.github.fail('checks/create', serverError());
    journey.github.fail('checks/update', serverError(), serverError());
    await journey.tell(...events, ...events);
    const check = await below.check(lower, 'completed/action_required');
    const upperCheck = await above.check(upper, 'completed/neutral');
    await journey.github.until(() => upperCheck.output?.title === 'Not gated: the base is lower (1 from #41)');
    await press(check.id, 'approve', ADA);
    await below.check(lower, 'completed/success');
    const edited = above.event('edited', { headSha: upper, branch: 'upper', baseBefore: 'lower', after: 61 });
    const merged = below.event('merged', { headSha: lower, branch: 'lower', after: 60, mergeCommitSha: merge });
    await journey.tell(edited, merged, edited);
    await above.check(upper, 'completed/success');

    const drifted = pageOf('#ddf');
    for (const each of [site, preview]) each.pages.set('/prices', drifted);
    preview.pages.set('/', before);
    await journey.tell(late.event('opened', { headSha: behind, branch: 'late' }), late.deployed(behind));
    const lateCheck = await late.check(behind, 'completed/success');
    expect(lateCheck.output?.title).toBe('No changes from this PR (1 page drifted, 1 behind)');
    await journey.tell(late.event('merged', { headSha: behind, branch: 'late', after: 90, mergeCommitSha: behind }));

    const reverting = commitOnto(world, merge, 'reverting', { at: minutesAgo(0) });
    await journey.tell(revert.event('opened', { headSha: reverting, branch: 'revert' }), revert.deployed(reverting));
    const revertCheck = await revert.check(reverting, 'completed/action_required');
    await press(revertCheck.id, 'approve', ADA);
    await revert.check(reverting, 'completed/success');
    await journey.tell(
      revert.event('merged', { headSha: reverting, branch: 'revert', after: 100, mergeCommitSha: reverting }),
    );
    const address = `/baseline-versions?suiteId=${journey.suiteId}&path=/`;
    const versions = await journey.api().until(address, (all) => all.length === 3);
    expect(versions.map((version: any) => version.prNumber)).toEqual([44, 41, null]);
    expect(await journey.versions()).toHaveLength(1);
    site.pages.set('/prices', pageOf('#eee'));
    expect(journey.github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'holds what one server shows under two names, until a person says that they are two',
  async () => {
    const { site } = journey;
    const pull = pullRequest(journey, 60);
    const alias = site.origin.replace('127.0.0.1', 'localhost');
    const head = pull.commit();
    site.pages.set('/prices', pageOf('#0a0'));
    await journey.tell(pull.event('opened', { headSha: head }), pull.deployed(head, alias));
    const check = await pull.check(head, 'completed/action_required');
    expect(check.output?.title).toBe('1 change on 1 page: review required');
    expect(check.output?.summary).toContain('nothing shows that they are different servers');
    const versions = await journey.versions();
    await journey.api().call('POST', `/test-runs/${check.external_id}/different-servers`);
    const settled = await pull.check(head, 'completed/success');
    expect(settled.output?.title).toBe('No changes from this PR (1 page drifted)');
    await journey.api().call('DELETE', `/test-runs/${check.external_id}/different-servers`);
    await pull.check(head, 'completed/action_required');
    expect(await journey.versions()).toEqual(versions);
    site.pages.set('/prices', pageOf('#eee'));
  },
  LONG_MS,
);

it(
  'does what the buttons of a check say, for those who may, and explains a refusal in the check',
  async () => {
    journey.preview.pages.set('/', (response) => response.writeHead(500).end('Oh'));
    const pull = pullRequest(journey, 10);
    const head = pull.commit();
    await journey.tell(pull.event('opened', { headSha: head }), pull.deployed(head));
    const check = await pull.check(head, 'completed/failure');
    expect(check.output?.title).toBe('1 page could not be captured; 1 changed');
    expect(check.actions?.map(({ label }) => label)).toEqual(['Approve', 'Re-run errors']);

    await press(check.id, 'approve', MALLORY);
    await journey.github.until(() => check.output?.summary.includes('@mallory could not approve') === true);
    journey.preview.pages.set('/', html('Home', '<h1>Home</h1>'));
    await press(check.id, 'rerun_errors', MALLORY);
    await pull.check(head, 'completed/action_required');
    expect(check.output?.summary).not.toContain('mallory');
    await press(check.id, 'approve', ADA);
    await pull.check(head, 'completed/success');
    expect(check.output?.title).toBe('1 change approved by Ada');
  },
  LONG_MS,
);

it(
  'runs again when GitHub is asked to, for one check and for all of a commit',
  async () => {
    const pull = pullRequest(journey, 20);
    const head = pull.commit();
    await journey.tell(pull.event('opened', { headSha: head }), pull.deployed(head));
    const check = await pull.check(head, 'completed/action_required');
    await press(check.id, 'rerequested', MALLORY);
    await journey.github.until(() => pull.checks(head).length === 2);
    await pull.check(head, 'completed/action_required');
    expect(pull.checks(head)[1]?.external_id).not.toBe(check.external_id);
    await journey.tell(github.checkSuiteDelivery(journey.github.world, head));
    await journey.github.until(() => pull.checks(head).length === 3);
    await pull.check(head, 'completed/action_required');
  },
  LONG_MS,
);

async function secondSuite(): Promise<string> {
  const { world } = journey.github;
  const { baseUrl, config } = await journey.api().call('GET', `/test-suites/${journey.suiteId}`);
  const { viewports } = config;
  const body = { name: 'Shop', baseUrl, config: { viewports, recrawlInterval: 'off', ...SOON_AT_REST } };
  const { id } = await journey.api().call('POST', '/test-suites', body, 201);
  await journey.api().call('POST', `/test-suites/${id}/pages`, { path: '/prices' }, 201);
  const { repository, installation } = world;
  const codehost = { owner: repository.owner, repo: repository.name, installationId: installation.id };
  await journey.api().call('PATCH', `/test-suites/${id}`, { codehost });
  return id;
}

it(
  'gives each suite of a repository its check, and ends it when the suite is switched off or deleted',
  async () => {
    const shop = 'Pixelgate / Shop';
    const suiteId = await secondSuite();
    const pull = pullRequest(journey, 30);
    const [head, next] = [pull.commit(), pull.commit()];
    await journey.tell(pull.event('opened', { headSha: head }));
    const check = await pull.check(head, 'queued', shop);
    await journey.api().call('PATCH', `/test-suites/${suiteId}`, { isActive: false });
    await pull.check(head, 'completed/cancelled', shop);
    expect(check.output?.title).toBe('The suite was deactivated');
    await pull.check(head, 'queued');

    await journey.api().call('PATCH', `/test-suites/${suiteId}`, { isActive: true });
    await journey.tell(pull.event('synchronize', { before: head, headSha: next, after: 60 }));
    const open = await pull.check(next, 'queued', shop);
    journey.github.fail('checks/update', { kind: 'drop' });
    await journey.api().call('DELETE', `/test-suites/${suiteId}`);
    await pull.check(next, 'completed/cancelled', shop);
    expect(open.output?.title).toBe('The suite was deleted');
    await journey.tell(pull.deployed(next));
    await pull.check(next, 'completed/action_required');
  },
  LONG_MS,
);

it(
  'leaves no check behind that was being made when its suite was deleted',
  async () => {
    const suiteId = await secondSuite();
    const pull = pullRequest(journey, 35);
    const head = pull.commit();
    // The check is created, but the response gets lost.
    journey.github.fail('checks/create', { kind: 'lost' }, { kind: 'lost' });
    await journey.tell(pull.event('opened', { headSha: head }));
    await journey.github.until(() => pull.checks(head).length === 2);
    await journey.api().call('DELETE', `/test-suites/${suiteId}`);
    await pull.check(head, 'completed/cancelled', 'Pixelgate / Shop');
    expect(pull.checks(head)).toHaveLength(2);
  },
  LONG_MS,
);

it(
  'goes with a repository that is renamed and transferred, whichever event comes first',
  async () => {
    const { installation, repository } = journey.github.world;
    const pull = pullRequest(journey, 40);
    const [head, next] = [pull.commit(), pull.commit()];
    await journey.tell(pull.event('opened', { headSha: head }));
    const check = await pull.check(head, 'queued');
    const { name, owner } = repository;
    repository.name = 'Goodbye-World';
    await journey.tell(pull.event('synchronize', { before: head, headSha: next, after: 60 }), pull.deployed(next));
    await journey.tell(github.renamedDelivery(journey.github.world, name));
    await pull.check(head, 'completed/cancelled');
    expect(check.output?.title).toBe(`Superseded by ${next.slice(0, 7)}`);
    const captured = await pull.check(next, 'completed/action_required');

    repository.owner = 'Elsewhere';
    installation.account.login = 'Elsewhere';
    await journey.tell(github.transferredDelivery(journey.github.world, owner));
    await press(captured.id, 'approve', ADA);
    await pull.check(next, 'completed/success');
    await journey.tell(pull.event('merged', { headSha: next, after: 90, mergeCommitSha: next }));
    const versions = `/baseline-versions?suiteId=${journey.suiteId}&path=/prices`;
    const [newest] = await journey.api().until(versions, (all) => all.length === 2);
    expect(newest).toMatchObject({ source: 'PR_MERGE', prNumber: 40, approvedBy: { email: ADA.email } });
  },
  LONG_MS,
);

it(
  'ends the check of a pull request whose repository is unlinked',
  async () => {
    const pull = pullRequest(journey, 50);
    const head = pull.commit();
    await journey.tell(pull.event('opened', { headSha: head }));
    const check = await pull.check(head, 'queued');
    await journey.api().call('PATCH', `/test-suites/${journey.suiteId}`, { codehost: null });
    await pull.check(head, 'completed/cancelled');
    expect(check.output?.title).toBe('The suite was unlinked from this repository');
    expect(journey.github.mistakes).toEqual([]);
  },
  LONG_MS,
);
