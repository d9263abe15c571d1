import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pushDelivery } from '../support/github-deliveries.ts';
import { commitOnto, newCommit } from '../support/github-world.ts';
import { pullRequest, type PullRequest } from '../support/pull-request-events.ts';
import { pageOf, startJourney, type Journey } from '../support/pull-request-journey.ts';

const LONG_MS = 180_000;
const FILE = '.github/pixelgate.yml';

let journey: Journey;
let opened = 100;

beforeAll(async () => {
  journey = await startJourney();
  journey.preview.pages.set('/prices', pageOf('#e00'));
}, LONG_MS);
afterAll(async () => journey.stop(), LONG_MS);

/** Pushes the file to a pull request whose preview shows other prices. */
async function push(pull: PullRequest, text: string, action: 'opened' | 'synchronize' = 'opened', after = 0) {
  const headSha = pull.commit({ [FILE]: text });
  await journey.tell(pull.event(action, { headSha, after }), pull.deployed(headSha));
  return headSha;
}

function open(): PullRequest {
  opened += 1;
  return pullRequest(journey, opened);
}

const readRun = (id: string | undefined) => journey.api().call('GET', `/test-runs/${id}`);
/** A page as its HTML. */
async function openPage(path: string): Promise<string> {
  const headers = { authorization: `Bearer ${journey.api().token}` };
  return (await fetch(journey.serviceUrl() + path, { headers })).text();
}

const prices = (run: any) => run.pageResults.filter(({ path }: any) => path === '/prices');

const LOOSENED = [
  ['a higher limit', 'failureThreshold: 100', 'failureThreshold `0` → `100` on 2 pages at desktop'],
  ['a higher color threshold', 'threshold: 1', 'threshold `0` → `1` on 2 pages at desktop'],
  ['an ignored element', 'rules: [{ paths: [prices], ignore: [p] }]', '`p` ignored on 1 page at desktop'],
  ['a masked element', 'rules: [{ paths: ["**"], mask: [p] }]', '`p` masked on 2 pages at desktop'],
  ['a hidden element', 'rules: [{ paths: [prices], hide: [p] }]', '`p` hidden on 1 page at desktop'],
  ['a skipped page', 'rules: [{ paths: [prices], skip: true }]', 'no longer captured: 1 page at desktop'],
  ['every page skipped', 'rules: [{ paths: ["**"], skip: true }]', 'no longer captured: 2 pages at desktop'],
  [
    'another viewport',
    'viewports: [{ name: wide, width: 900, height: 600 }]',
    'viewport `desktop 800×600` dropped (2 pages)',
  ],
  ['a blocked host', 'blockHosts: ["*.example.com"]', 'blockHosts none → `*.example.com`'],
] as const;

it.each(LOOSENED)(
  'holds the gate for %s, and shows what the settings of the base show',
  async (_what, text, says) => {
    const pull = open();
    const check = await pull.check(await push(pull, text), 'completed/action_required');
    expect(check.output?.title).toMatch(/^Settings /);
    expect(check.output?.summary).toContain(says);
    expect(check.actions).toContainEqual(expect.objectContaining({ label: 'Approve' }));
    const run = await readRun(check.external_id);
    expect(run).toMatchObject({ reviewState: 'PENDING', settingsChange: { state: 'PENDING', approvedBy: null } });
    expect(run.settingsChange.differences[0]).toMatchObject({ effect: 'LOOSENS', applies: 'NOW', summary: says });
    const hidden = prices(run).find(({ viewport }: any) => viewport === 'desktop');
    expect(hidden.baseSettings).toMatchObject({ status: 'FAIL' });
    expect(hidden.baseSettings.diffScore).toBeGreaterThan(0);
    expect(check.output?.summary).toContain('`/prices` at `desktop` differs by');
    await journey.api().call('PATCH', `/test-runs/${run.id}/settings-change`, { decision: 'approve' });
    const isChanged = prices(run).some(({ status, cause }: any) => status === 'FAIL' && cause === 'CHANGE');
    if (isChanged) await journey.api().call('POST', `/test-runs/${run.id}/approve-visuals`);
    await pull.check(check.head_sha, 'completed/success');
    expect(journey.github.mistakes).toEqual([]);
  },
  LONG_MS,
);

it(
  'keeps the approval for the same settings, asks again for others, and takes it back',
  async () => {
    const pull = open();
    const first = await pull.check(await push(pull, 'failureThreshold: 100\n'), 'completed/action_required');
    const decide = (id: string | undefined, decision: object, status = 200) =>
      journey.api().call('PATCH', `/test-runs/${id}/settings-change`, decision, status);
    const { id } = (await readRun(first.external_id)).settingsChange;
    expect(await decide(first.external_id, { decision: 'approve', id: 'other' }, 409)).toMatchObject({
      details: { code: 'settings_changed' },
    });
    const [page] = prices(await readRun(first.external_id));
    await journey.api().call('POST', `/test-runs/${first.external_id}/approve-visuals`, { resultIds: [page.id] });
    expect(await readRun(first.external_id)).toMatchObject({ reviewState: 'PENDING' });
    const shown = await openPage(`/runs/${first.external_id}`);
    expect(shown).toContain('Approve settings');
    expect(shown).toContain('The settings above need an approval');
    expect(await openPage(`/runs/${first.external_id}/results/${page.id}?panel=notes`)).toContain(
      'With the settings of the base, this result would differ by',
    );
    expect(await decide(first.external_id, { decision: 'approve', id })).toMatchObject({ reviewState: 'APPROVED' });
    const approved = await pull.check(first.head_sha, 'completed/success');
    expect(approved.output?.title).toBe('Settings approved by Ada');

    const same = await push(pull, 'failureThreshold: 100\n# as before\n', 'synchronize', 60);
    const carried = await pull.check(same, 'completed/success');
    expect((await readRun(carried.external_id)).settingsChange).toMatchObject({ state: 'APPROVED', carriedOver: true });

    const other = await push(pull, 'failureThreshold: 99\n', 'synchronize', 120);
    const held = await pull.check(other, 'completed/action_required');
    await journey.api().call('POST', `/test-runs/${held.external_id}/approve-visuals`);
    await pull.check(other, 'completed/success');
    expect(await decide(held.external_id, { decision: 'undo' })).toMatchObject({ reviewState: 'PENDING' });
    await pull.check(other, 'completed/action_required');
    expect(await decide(held.external_id, { decision: 'request_changes', note: 'No.' })).toMatchObject({
      reviewState: 'PENDING',
    });
    expect(await decide(held.external_id, { decision: 'approve' })).toMatchObject({ reviewState: 'APPROVED' });
  },
  LONG_MS,
);

it(
  'holds what came from a branch that nobody gates, once the pull request goes elsewhere',
  async () => {
    const { world } = journey.github;
    const main = world.repository.defaultBranch;
    const root = commitOnto(world, null, 'root', { at: new Date('2026-01-01'), branch: main });
    const below = commitOnto(world, root, 'below', { at: new Date('2026-01-02'), branch: 'below' });
    const pull = open();
    const headSha = commitOnto(world, below, 'above', { at: new Date('2026-01-03') });
    for (const ref of ['below', below, headSha]) world.repository.files.set(`${ref}:${FILE}`, 'failureThreshold: 100');
    await journey.tell(pull.event('opened', { headSha, base: 'below' }), pull.deployed(headSha));
    await pull.check(headSha, 'completed/neutral');
    await journey.tell(pull.event('edited', { headSha, base: main, baseBefore: 'below', after: 60 }));
    const held = await pull.check(headSha, 'completed/action_required');
    expect(held.output?.title).toMatch(/^Settings /);
    world.repository.branches.delete(main);
  },
  LONG_MS,
);

it(
  'does not hold a file that tightens or adds, nor one that is deleted',
  async () => {
    const { world } = journey.github;
    const { defaultBranch, files } = world.repository;
    const suite = `/test-suites/${journey.suiteId}`;
    journey.preview.pages.set('/prices', pageOf('#eee'));
    files.set(`${defaultBranch}:${FILE}`, 'failureThreshold: 5\nrules: [{ paths: [prices], ignore: [h1] }]\n');
    await journey.tell(pushDelivery(world));
    await journey.api().until(suite, ({ configFile }) => configFile !== null);

    const deleting = open();
    const gone = deleting.commit();
    await journey.tell(deleting.event('opened', { headSha: gone }), deleting.deployed(gone));
    const deleted = await deleting.check(gone, 'completed/success');
    expect(await readRun(deleted.external_id)).toMatchObject({ settingsChange: null, reviewState: 'NOT_REQUIRED' });

    const pull = open();
    const desktop = '{ name: desktop, width: 800, height: 600 }';
    const added = '{ name: small, width: 400, height: 600 }';
    const check = await pull.check(
      await push(pull, `failureThreshold: 0.5\nrules: []\nviewports: [${desktop}, ${added}]\n`),
      'completed/success',
    );
    expect(check.output?.title).toBe('No visual changes (2 new pages); configuration changed');
    expect(await readRun(check.external_id)).toMatchObject({
      reviewState: 'NOT_REQUIRED',
      settingsChange: { state: 'NOT_REQUIRED', id: null },
    });

    const loosening = open();
    const held = await loosening.check(
      await push(loosening, 'failureThreshold: 6\nrules: []\n'),
      'completed/action_required',
    );
    await journey.api().call('PATCH', `/test-runs/${held.external_id}/settings-change`, { decision: 'approve' });
    await loosening.check(held.head_sha, 'completed/success');
    newCommit(world, 'The base is stricter now');
    files.set(`${defaultBranch}:${FILE}`, 'failureThreshold: 1\nrules: []\n');
    await journey.tell(pushDelivery(world));
    await loosening.check(held.head_sha, 'completed/action_required');
    files.set(`${defaultBranch}:${FILE}`, 'failureThreshold: 7\nrules: []\n');
    await journey.tell(pushDelivery(world));
    await loosening.check(held.head_sha, 'completed/success');
    expect(journey.github.mistakes).toEqual([]);
  },
  LONG_MS,
);
