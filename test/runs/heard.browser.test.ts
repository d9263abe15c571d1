import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keepMaking } from '../../src/baselines/version-store.ts';
import { approveRun } from '../../src/review/approval/approve-run.ts';
import { listChanges, listHeard } from '../../src/review/changes/list-changes.ts';
import { getRunFor } from '../../src/runs/read-run.ts';
import type { PageResult } from '../../src/runs/results/result.ts';
import type { SuiteConfigInput } from '../../src/suites/config/suite-config.ts';
import { html, openSite, type Site } from '../capture/site.ts';
import type { World } from '../support/world.ts';
import { realWorld, run, suiteOf, type ProofSuite } from './proofs/proof-world.ts';

let world: World & { end: () => Promise<void> };
let site: Site;

beforeAll(async () => {
  [world, site] = await Promise.all([realWorld(), openSite()]);
});

afterAll(async () => {
  await Promise.all([world.end(), site.close()]);
});

const ALL: SuiteConfigInput = { reuseUnchanged: 'off', accessibility: 'all' };

const icon = (label: string) => html(`<button ${label}>×</button>`);
const NAMED = icon('aria-label="Search"');

/** Two pages with a button that has a name. */
async function suiteWith(name: string, config: SuiteConfigInput): Promise<ProofSuite & { paths: string[] }> {
  const paths = [`/${name}-a`, `/${name}-b`];
  for (const path of paths) site.page(path, NAMED);
  return { ...(await suiteOf(world, site.origin, paths, config)), paths };
}

const groupsOf = async ({ testRunId }: PageResult) =>
  (await listHeard(world.ctx, { id: testRunId }, { limit: 10, after: null })).items;

const outcomes = (results: PageResult[]) =>
  results.map(({ status, cause, diffScore }) => ({ status, cause, diffScore }));

describe('what assistive technology hears where no pixel differs', () => {
  it('holds the gate if the suite asks for that, until somebody approves it', async () => {
    const of = await suiteWith('held', { ...ALL, accessibilityGate: true });
    await run(world, of);
    for (const path of of.paths) site.page(path, icon('aria-label=""'));
    const results = await run(world, of);
    const changed = { status: 'FAIL', cause: 'CHANGE', diffScore: 0 };
    expect(outcomes(results)).toEqual([changed, changed]);
    const [first] = results;
    if (first === undefined) throw new Error('no results');
    const opened = await getRunFor(world.ctx, of.viewer, first.testRunId, 'suite.approve');
    expect(opened.reviewState).toBe('PENDING');
    const { groups } = await listChanges(world.ctx, opened, { limit: 10 }, 1);
    expect(groups).toMatchObject([
      {
        kind: 'ACCESSIBILITY',
        element: 'button “Search”',
        count: 2,
        paths: of.paths,
        undecided: 2,
      },
    ]);
    await approveRun(world.ctx, opened, {});
    expect(outcomes(await run(world, of))).toEqual([
      { status: 'PASS', cause: null, diffScore: 0 },
      { status: 'PASS', cause: null, diffScore: 0 },
    ]);
  });

  it('is told once without a need for a review, grouped over its pages', async () => {
    const of = await suiteWith('told', ALL);
    await run(world, of);
    for (const path of of.paths) site.page(path, icon('aria-label="Find"'));
    const results = await run(world, of);
    expect(results.map(({ status }) => status)).toEqual(['PASS', 'PASS']);
    const [first] = results;
    if (first === undefined) throw new Error('no results');
    expect(await groupsOf(first)).toMatchObject([
      {
        element: 'button “Search”',
        summary: 'is now named “Find”',
        paths: of.paths,
        holds: false,
      },
    ]);
    const [again] = await run(world, of);
    expect(again === undefined ? null : await groupsOf(again)).toEqual([]);
  });

  it('is not heard on unchanged pages by default, nor from what differs from load to load', async () => {
    const of = await suiteWith('quiet', {
      reuseUnchanged: 'off',
      accessibilityGate: true,
    });
    await run(world, of);
    for (const path of of.paths) site.page(path, icon('aria-label="Find"'));
    expect((await run(world, of)).map(({ status, heardFile }) => [status, heardFile])).toEqual([
      ['PASS', null],
      ['PASS', null],
    ]);
    let loads = 0;
    const all = await suiteOf(world, site.origin, ['/clock'], {
      ...ALL,
      accessibilityGate: true,
    });
    site.page('/clock', (_request, response) => {
      loads += 1;
      const body = html(`<p role="timer" aria-label="${loads} s">Now</p>`);
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
    });
    await run(world, all);
    expect((await run(world, all)).map(({ status }) => status)).toEqual(['PASS']);
  });

  it('becomes known of a baseline of which nobody knew it', async () => {
    const of = await suiteWith('learned', { reuseUnchanged: 'off' });
    const [seed] = await run(world, of);
    const versions = world.db('baseline_versions').where({ page_result_id: seed?.id ?? '' });
    const known = await versions.clone().first('id', 'heard_file');
    expect(known?.heardFile).not.toBeNull();
    await versions.clone().update({ heard_file: null });
    await run(world, of);
    expect((await versions.clone().first('heard_file'))?.heardFile).toBe(known?.heardFile);
    await keepMaking(world.db, known?.id ?? '', { heardFile: known?.heardFile ?? '' });
  });
});
