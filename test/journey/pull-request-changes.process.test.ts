import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import * as github from '../support/github-deliveries.ts';
import type { Journey } from '../support/pull-request-journey.ts';
import { ADA, pageOf, startJourney } from '../support/pull-request-journey.ts';
import { pullRequest } from '../support/pull-request-events.ts';
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
  'does what the buttons of a check say, for those who may, and explains a refusal in the check',
  async () => {
    journey.preview.pages.set('/', (response) => response.writeHead(500).end('Oh'));
    const pull = pullRequest(journey, 10);
    const head = pull.commit();
    await journey.tell(pull.event('opened', { headSha: head }), pull.deployed(head));
    const check = await pull.check(head, 'completed/failure');
    expect(check.output?.title).toBe('1 page could not be captured; 1 changed');
    expect(check.actions?.map(({ identifier }) => identifier)).toEqual(['approve', 'rerun_errors']);

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
