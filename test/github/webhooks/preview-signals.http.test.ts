import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rulesFor } from '../../../src/github/previews/choose-preview.ts';
import { readChoice } from '../../../src/github/previews/read-choice.ts';
import { findSuite } from '../../../src/suites/suite-store.ts';
import { updateSuite } from '../../../src/suites/update-suite.ts';
import { worldOf } from '../../api/fixture.ts';
import { startTestApi, type TestApi } from '../../support/api-client.ts';
import { APP_ENVIRONMENT, deliveryHeaders } from '../../support/github-app.ts';
import { handleDeliveries } from '../../support/take-deliveries.ts';
import { newViewer, type OwnSuite } from '../../support/world.ts';
import { linkedSuite } from '../check-world.ts';
import { deploymentEvent, pullRequestEvent, sha, statusEvent } from './pull-request-payloads.ts';

let api: TestApi;
let docs: OwnSuite;
let app: OwnSuite;

/** Two suites on one repository, one of them told by environments and one by contexts. */
beforeAll(async () => {
  api = await startTestApi(APP_ENVIRONMENT);
  const world = worldOf(api);
  const owner = await newViewer(world);
  docs = await linkedSuite(world, owner, ['/']);
  app = await linkedSuite(world, owner, ['/']);
  await updateSuite(api.ctx, docs, { config: { preview: { environment: ['*docs'] } } });
  await updateSuite(api.ctx, app, { config: { preview: { context: ['netlify/app/*'] } } });
});
afterAll(async () => api.stop());

type Event = { event: string; payload: object };

async function deliver({ event, payload }: Event, id = randomUUID()): Promise<number> {
  const raw = JSON.stringify(payload);
  const { status } = await api.request('POST', '/api/github/webhooks', {
    raw,
    headers: deliveryHeaders(event, id, raw),
  });
  return status;
}

const DOCS = 'Preview – docs';

/** What hosts say of one head: the first build of the docs fails, the second one comes up, and so does the app. */
const eventsOf = (head: string, number: number): Event[] => [
  { event: 'pull_request', payload: pullRequestEvent('opened', { number, head, at: 0 }) },
  {
    event: 'deployment_status',
    payload: deploymentEvent({ head, url: '', environment: DOCS, id: 1, state: 'failure' }),
  },
  {
    event: 'deployment_status',
    payload: deploymentEvent({ head, url: 'https://docs.test/', environment: DOCS, id: 2 }),
  },
  {
    event: 'status',
    payload: {
      ...statusEvent({ head, url: 'https://deploy-preview-7--app.netlify.app', context: 'netlify/app/deploy-preview' }),
      description: 'Deploy Preview ready!',
    },
  },
];

function orders<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((first, index) => orders(items.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

async function addressFor(suite: OwnSuite, head: string, number: number): Promise<string> {
  const found = await findSuite(api.ctx.db, suite.id);
  if (found === null) throw new Error('The suite is gone');
  const rules = rulesFor(found, null, { number, headBranch: 'feature/look', headSha: head });
  const choice = await readChoice(api.ctx.db, { owner: 'acme', repo: 'site', headSha: head }, rules);
  return choice.kind === 'found' ? choice.preview.address : choice.kind;
}

/** The suites of the attempts at a head that wait. */
const waiting = (head: string) =>
  api.ctx
    .db('test_runs')
    .where({ git_head_sha: head, status: 'PENDING' })
    .orderBy('test_suite_id')
    .pluck('test_suite_id');

it('finds each suite its own preview, in whatever order and however often the events come', async () => {
  const all = orders([0, 1, 2, 3]);
  for (const [index, order] of all.entries()) {
    const isHandledAtOnce = index % 2 === 0;
    const [head, number] = [sha(`e${index}e`), 8000 + index];
    const events = eventsOf(head, number).map((event) => ({ ...event, id: randomUUID() }));
    const answers: number[] = [];
    for (const { id, ...event } of [...order, ...order].flatMap((place) => events[place] ?? [])) {
      answers.push(await deliver(event, id));
      if (isHandledAtOnce) await handleDeliveries(api.ctx);
    }
    await handleDeliveries(api.ctx);
    expect(answers).toEqual(Array.from({ length: 8 }, () => 200));
    expect([order, await addressFor(docs, head, number)]).toEqual([order, 'https://docs.test/']);
    expect([order, await addressFor(app, head, number)]).toEqual([order, 'https://deploy-preview-7--app.netlify.app/']);
    expect(await waiting(head)).toEqual([docs.id, app.id].toSorted((one, other) => (one < other ? -1 : 1)));
  }
});

it('loses nothing to a fault in between: what was stored is handled when it can be, once', async () => {
  const [head, number] = [sha('fa017'), 9000];
  const [opened, , ready] = eventsOf(head, number);
  if (opened === undefined || ready === undefined) throw new Error('There are too few events');
  const id = randomUUID();
  await deliver(opened);
  await handleDeliveries(api.ctx);
  await api.ctx.db.raw('alter table preview_signals rename to preview_signals_away');
  expect(await deliver(ready, id)).toBe(200);
  await expect(handleDeliveries(api.ctx)).rejects.toThrow('preview_signals');
  await api.ctx.db.raw('alter table preview_signals_away rename to preview_signals');
  expect(await addressFor(docs, head, number)).toBe('waiting');
  expect([await deliver(ready, id), await deliver(ready, id)]).toEqual([200, 200]);
  await handleDeliveries(api.ctx);
  expect(await addressFor(docs, head, number)).toBe('https://docs.test/');
});
