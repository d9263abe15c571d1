import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { restClient, runIsOver, type RestClient } from '../support/rest-client.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { startSmallSite, type SmallSite } from '../support/small-site.ts';
import { SOON_AT_REST } from '../support/soon-at-rest.ts';

const PAGES = 4;
const VIEWPORTS = [
  { name: 'desktop', width: 900, height: 600 },
  { name: 'mobile', width: 400, height: 600 },
];

const numbers = Array.from({ length: PAGES }, (_, number) => number);
const pathOf = (number: number) => (number === 0 ? '/' : `/page-${number}`);
const links = numbers.map((number) => `<a href="${pathOf(number)}">${number}</a>`).join(' ');

/** A page of the site: the same bar and card, and its own text, longer from page to page. */
const page = (number: number) => `<!doctype html><html lang="en"><head><title>Page ${number}</title><style>
  body { margin: 0; font: 16px/1.5 sans-serif }
  header.bar { display: flex; align-items: center; height: 56px; padding: 0 16px; background: #eef }
  main { padding: 16px; max-width: 60ch } .card { padding: 16px; border: 1px solid #ccc }
  </style></head><body><header class="bar"><strong>Shop</strong> <nav><a class="about" href="/">About us</a></nav></header>
  <main><h1>Page ${number}</h1>${'<p>One paragraph after the other tells nothing in particular.</p>'.repeat(2 + number)}
  <p class="own">What only page ${number} says.</p><div class="card"><h2>Offer</h2><p>It costs 20.</p></div>${links}</main></body></html>`;

const site = (edit: (html: string, number: number) => string = (html) => html) =>
  new Map(numbers.map((number) => [pathOf(number), edit(page(number), number)]));

let database: TestDatabase;
let dataDir: string;
let service: ServiceProcess;
let live: SmallSite;
let preview: SmallSite;
let api: RestClient;
let suiteId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-changes-'));
  live = await startSmallSite(site());
  preview = await startSmallSite(site());
  service = await startServiceProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  api = restClient(service.url);
  const person = { email: 'ada@example.com', password: 'correct horse', name: 'Ada' };
  api.token = (await api.call('POST', '/auth/register', person, 201)).token;
  const config = {
    viewports: VIEWPORTS,
    recrawlInterval: 'off',
    ...SOON_AT_REST,
  };
  suiteId = (await api.call('POST', '/test-suites', { name: 'Shop', baseUrl: live.origin, config }, 201)).id;
  await api.call('POST', `/test-suites/${suiteId}/crawl`, undefined, 202);
  const { pages } = await api.until(`/test-suites/${suiteId}/pages`, ({ crawl }) => crawl.status === 'COMPLETED');
  await api.call('PATCH', `/test-suites/${suiteId}/pages`, {
    action: 'track',
    pageIds: pages.map(({ id }: { id: string }) => id),
  });
  await run();
});

afterAll(async () => {
  await service.end();
  await Promise.all([live.stop(), preview.stop()]);
  try {
    await expectNoFaults(database.db, dataDir);
  } finally {
    await database.drop();
    await rm(dataDir, { recursive: true });
  }
});

async function run(body?: unknown): Promise<any> {
  const { testRunId } = await api.call('POST', `/test-suites/${suiteId}/run`, body, 202);
  return api.until(`/test-runs/${testRunId}`, runIsOver);
}

/** A run of the preview with these pages, and what changed. */
async function runOf(edit: (html: string, number: number) => string) {
  for (const [at, html] of site(edit)) preview.pages.set(at, html);
  const { id } = await run({ targetBaseUrl: preview.origin, branch: 'edit' });
  const groups: any[] = await api.call('GET', `/test-runs/${id}/changes`);
  return { id, groups, told: groups.map(({ element, summary, count }) => `${count} × ${element}: ${summary}`) };
}

const style = (rule: string) => (html: string) => html.replace('</style>', `${rule}</style>`);
const all = PAGES * VIEWPORTS.length;

it('makes one group of a bar that got taller and one of a part that each page has at its own place', async () => {
  const { groups, told } = await runOf(style('header.bar { height: 64px } .card { background: #ffe }'));
  expect([...told].sort()).toEqual([
    `${all} × div.card: background transparent → #ffffee`,
    `${all} × header.bar: 8 px taller`,
  ]);
  const bar = groups.find(({ element }) => element === 'header.bar');
  expect(bar).toMatchObject({ kind: 'RESIZED', state: 'PENDING', viewports: ['desktop', 'mobile'] });
  expect(bar.pages).toHaveLength(PAGES);
  const { pathname, search } = new URL(bar.afterCrop);
  const crop = await fetch(service.url + pathname + search, { headers: { authorization: `Bearer ${api.token}` } });
  expect([crop.status, crop.headers.get('content-type')]).toEqual([200, 'image/webp']);
});

it('approves results with the last of their groups', async () => {
  const edited = [1, 3];
  const { id, groups, told } = await runOf((html, number) => {
    const renamed = html.replace('About us', 'Who we are');
    return edited.includes(number) ? renamed.replace('What only', 'Something that only') : renamed;
  });
  expect(told).toEqual([
    `${all} × nav a.about: text “About us” → “Who we are”`,
    ...edited.map((number) => expect.stringContaining(`2 × p.own: text “What only page ${number} says.”`)),
  ]);
  const approve = async (changeId: string) => api.call('POST', `/test-runs/${id}/changes/${changeId}/approve`);
  const [bar, ...others] = groups.map((group) => group.id);
  expect(await approve(bar)).toMatchObject({ changes: all, approved: all - 2 * edited.length });
  expect(await api.call('GET', `/test-runs/${id}`)).toMatchObject({ reviewState: 'PENDING' });
  for (const other of others) expect(await approve(other)).toMatchObject({ changes: 2, approved: 2 });
  expect(await api.call('GET', `/test-runs/${id}`)).toMatchObject({ reviewState: 'APPROVED' });
});
