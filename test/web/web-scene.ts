import { SUITE_ROLES, type SuiteRole } from '../../src/access/role.ts';
import { createSuiteToken } from '../../src/access/suite-tokens.ts';
import { createTarget, sendTest } from '../../src/notices/change-target.ts';
import { getTarget, targetsOfSuite } from '../../src/notices/read-targets.ts';
import { startTrial } from '../../src/runs/trials/start-trial.ts';
import { invite } from '../../src/suites/invitations/invite.ts';
import { getSuiteFor } from '../../src/suites/read-suite.ts';
import { halfBlack, runInFlight, setStage, share, type Stage } from '../api/fixture.ts';
import type { Account, TestApi } from '../support/api-client.ts';
import { changeOf, storeChanges } from '../support/changes.ts';
import { promoteThroughApi } from '../support/requests.ts';
import { screenshot } from '../support/world.ts';

/** A stage with a run that stays PENDING, because no worker is running. */
export type Scene = Stage & {
  inFlightId: string;
  ignoredChangeId: string;
  trialId: string;
  tokenId: string;
  invitationId: string;
  targetId: string;
  deliveryId: string;
};

/** Who may open a page, written by hand. */
type Read = {
  row: string;
  at: (scene: Scene) => string;
  /** Default: VIEWER. */
  least?: SuiteRole;
  /** The status for those who may. */
  status?: number;
  /** Sent as htmx sends it. */
  part?: true;
};
export const suite = (s: Scene, rest = '') => `/suites/${s.suite.id}${rest}`;
export const run = (s: Scene, rest = '') => `/runs/${s.runId}${rest}`;

export const READS: Read[] = [
  { row: '/suites/:id', at: (s) => suite(s) },
  { row: '/suites/:id/crawl', at: (s) => suite(s, '/crawl'), part: true },
  { row: '/suites/:id/runs', at: (s) => suite(s, '/runs') },
  { row: '/suites/:id/settings', at: (s) => suite(s, '/settings') },
  { row: '/suites/:id/settings/try', at: (s) => suite(s, '/settings/try'), status: 303 },
  { row: '/suites/:id/trials/:trialId', at: (s) => suite(s, `/trials/${s.trialId}`) },
  { row: '/suites/:id/settings/rules', at: (s) => suite(s, '/settings/rules'), status: 303 },
  { row: '/suites/:id/sharing', at: (s) => suite(s, '/sharing') },
  { row: '/suites/:id/access', at: (s) => suite(s, '/access'), least: 'ADMIN' },
  { row: '/suites/:id/repository', at: (s) => suite(s, '/repository') },
  { row: '/suites/:id/first-check', at: (s) => suite(s, '/first-check') },
  { row: '/suites/:id/pages/:pageId', at: (s) => suite(s, `/pages/${s.pageId}`) },
  {
    row: '/suites/:id/pages/:pageId/compare',
    at: (s) => suite(s, `/pages/${s.pageId}/compare?from=${s.versionId}&to=${s.versionId}`),
  },
  { row: '/runs/:id', at: (s) => run(s) },
  { row: '/runs/:id', at: (s) => `/runs/${s.inFlightId}` },
  { row: '/runs/:id/results', at: (s) => run(s, '/results'), part: true },
  { row: '/runs/:id/changes/:changeId', at: (s) => run(s, `/changes/${changeOf('d').key}`), status: 303 },
  { row: '/runs/:id/live', at: (s) => run(s, '/live'), status: 303 },
  { row: '/runs/:id/log', at: (s) => run(s, '/log') },
  { row: '/runs/:id/summary.md', at: (s) => run(s, '/summary.md') },
  { row: '/runs/:id/news', at: (s) => run(s, '/news?seen=0'), part: true },
  { row: '/runs/:id/review', at: (s) => run(s, '/review'), status: 303 },
  { row: '/runs/:id/results/:resultId', at: (s) => run(s, `/results/${s.changed.id}`) },
  { row: '/runs/:id/results/:resultId', at: (s) => run(s, `/results/${s.changed.id}?panel=ignore`) },
  { row: '/suites/:id/ignored-changes', at: (s) => suite(s, '/ignored-changes') },
  { row: '/suites/:id/storage', at: (s) => suite(s, '/storage') },
  { row: '/suites/:id/audit', at: (s) => suite(s, '/audit') },
  { row: '/suites/:id/notices', least: 'ADMIN', at: (s) => suite(s, '/notices') },
  { row: '/suites/:id/notices/:targetId', least: 'ADMIN', at: (s) => suite(s, `/notices/${s.targetId}`) },
  { row: '/suites/:id/tokens', least: 'ADMIN', at: (s) => suite(s, '/tokens') },
];

/** Of another page, so that nothing is judged again. */
async function ignoredChange(api: TestApi, { suite: { id } }: Stage): Promise<string> {
  const [row] = await api.ctx
    .db('ignored_changes')
    .insert({
      test_suite_id: id,
      path: '/other',
      viewport: 'desktop',
      baseline_file: 'a.png',
      current_file: 'b.png',
      fingerprint: 'f',
    })
    .returning<{ id: string }[]>('id');
  return row?.id ?? '';
}

/** A webhook with a message to it. */
async function target(api: TestApi, owner: Account, { suite: { id } }: Stage) {
  const targets = targetsOfSuite(await getSuiteFor(api.ctx, owner.user, id, 'suite.targets'));
  const input = { kind: 'WEBHOOK', name: 'Hook', url: 'https://hooks.example.com/told' } as const;
  const made = await createTarget(api.ctx, targets, input);
  await sendTest(api.ctx, await getTarget(api.ctx, owner.user, made.target.id));
  const delivery = await api.ctx.db('target_deliveries').where({ target_id: made.target.id }).first('id');
  return { targetId: made.target.id, deliveryId: String(delivery.id) };
}

/**
 * A suite of the owner with a page in every state.
 * @param members whom it is shared with, by role
 */
export async function newScene(
  api: TestApi,
  { owner, bystander, members }: { owner: Account; bystander: Account; members: ReadonlyMap<string, Account> },
): Promise<Scene> {
  const stage = await setStage(api, owner, bystander);
  await api.ctx.storage.put(screenshot(stage.suite, 'a'), halfBlack(0));
  await api.ctx.storage.put(screenshot(stage.suite, 'b'), halfBlack(2));
  await storeChanges(api.ctx.db, [stage.changed], { '/changed': 'd' });
  for (const role of SUITE_ROLES) {
    const person = members.get(role);
    if (person !== undefined) await share(api, stage.suite, owner, person, role);
  }
  // An old version to restore.
  await promoteThroughApi(api.ctx, owner.user, { baselineVersionId: stage.versionId });
  const editable = await getSuiteFor(api.ctx, owner.user, stage.suite.id, 'suite.edit');
  const tokens = await getSuiteFor(api.ctx, owner.user, stage.suite.id, 'suite.tokens');
  const { token } = await createSuiteToken(api.ctx, tokens, { name: 'CI', expiresInDays: 30, scopes: ['read'] });
  const shareable = await getSuiteFor(api.ctx, owner.user, stage.suite.id, 'suite.share');
  return {
    ...stage,
    ...(await target(api, owner, stage)),
    tokenId: token.id,
    invitationId: (await invite(api.ctx, shareable, {})).invitation.id,
    inFlightId: await runInFlight(api, owner, stage.suite),
    ignoredChangeId: await ignoredChange(api, stage),
    trialId: await startTrial(api.ctx, editable, { path: '/', viewport: 'desktop', config: {} }),
  };
}
