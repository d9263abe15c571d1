import { PNG } from 'pngjs';
import type { SuiteRole } from '../../src/access/role.ts';
import { refusedWith } from '../../src/capture/describe-failure.ts';
import type { PageResult } from '../../src/runs/results/result.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import type { Account, TestApi } from '../support/api-client.ts';
import { listBaselines, listPages, shareSuite, startRun } from '../support/requests.ts';
import { finishedRun, newSuite, type World } from '../support/world.ts';

/** 10 by 10 pixels, white, with the top rows black. */
export function halfBlack(rows: number): Buffer {
  const png = new PNG({ width: 10, height: 10 });
  png.data.fill(255);
  for (let pixel = 0; pixel < rows * 10; pixel += 1) png.data.fill(0, pixel * 4, pixel * 4 + 3);
  return PNG.sync.write(png);
}

/** A suite with everything that an operation can act on. */
export type Stage = {
  suite: SuiteForViewer;
  /** The IDs of `/changed`, which has a baseline and a result that differs from it. */
  pageId: string;
  baselineId: string;
  versionId: string;
  /** A finished MANUAL run: `/changed` is FAIL, `/broken` is ERROR, `/same` is PASS. */
  runId: string;
  changed: PageResult;
  broken: PageResult;
  /** A grant for somebody who is not one of the callers. */
  grantId: string;
};

export function worldOf({ ctx }: TestApi): World {
  const absent = () => {
    throw new Error('No browser runs in this test');
  };
  const browser = {
    capture: absent,
    renderHtml: absent,
    signIn: absent,
    engine: async () => 'test',
    close: async () => {},
  };
  const codeHost = { readMergeBase: async () => null };
  return { ctx: { ...ctx, browser, measure: () => {}, siteSessions: new Map(), codeHost }, db: ctx.db };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The stage lacks something');
  return value;
}

export async function share(api: TestApi, suite: SuiteForViewer, owner: Account, to: Account, role: SuiteRole) {
  return shareSuite(api.ctx, owner.user, suite, { userId: to.user.id, role });
}

/** @param other gets a grant, so that there is one to change and revoke */
export async function setStage(api: TestApi, owner: Account, other: Account): Promise<Stage> {
  const world = worldOf(api);
  const suite = await newSuite(world, owner.user, ['/broken', '/changed', '/same']);
  await finishedRun(world, owner.user, suite, () => 'a');
  const { run, results } = await finishedRun(world, owner.user, suite, (path) => {
    if (path === '/broken') throw refusedWith(500);
    return path === '/changed' ? 'b' : 'a';
  });
  const grant = await share(api, suite, owner, other, 'VIEWER');
  const { pages } = await listPages(api.ctx, suite);
  const baseline = present((await listBaselines(api.ctx, suite)).find(({ path }) => path === '/changed'));
  return {
    suite,
    pageId: present(pages.find(({ path }) => path === '/changed')).id,
    baselineId: baseline.id,
    versionId: baseline.currentVersionId,
    runId: run.id,
    changed: present(results.find(({ path }) => path === '/changed')),
    broken: present(results.find(({ path }) => path === '/broken')),
    grantId: grant.id,
  };
}

/** A run that stays PENDING, because no worker is running. */
export async function runInFlight(api: TestApi, owner: Account, suite: SuiteForViewer): Promise<string> {
  return (await startRun(api.ctx, owner.user, suite, {})).id;
}
