import { encodeElementMap } from '../../src/elements/encode-element-map.ts';
import { judgeRun, judgeSuite } from '../../src/runs/judging/judge-runs.ts';
import { elementsName } from '../../src/storage/object-name.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import { worldOf } from '../api/fixture.ts';
import { mapOf } from '../elements/element-map.ts';
import type { Account, TestApi } from '../support/api-client.ts';
import { paint, reviewRun, suiteOf } from './review-fixture.ts';

const SMALL = { width: 300, height: 200 };

export type ChangedRun = {
  suite: SuiteForViewer;
  run: { id: string; results: Record<string, string> };
  /** The path of the review of its only result. */
  address: string;
};

/** A run with a change of `/a`, in a suite of its own. Its place is (10, 10), 180 by 60 px. */
export async function changedRun(api: TestApi, owner: Account): Promise<ChangedRun> {
  const suite = await suiteOf(api, owner.user, ['/a']);
  const run = await reviewRun(api, suite, {
    '/a': { baseline: await paint(SMALL), current: await paint(SMALL, [{ x: 10, y: 10 }]) },
  });
  return { suite, run, address: `/runs/${run.id}/results/${run.results['/a']}` };
}

/** The same. What changed is in the element `#clock`. */
export async function changedClock(api: TestApi, owner: Account): Promise<ChangedRun> {
  const changed = await changedRun(api, owner);
  const map = await encodeElementMap(
    mapOf(
      { tag: 'body', box: [0, 0, SMALL.width, SMALL.height] },
      { parent: 0, tag: 'p', id: 'clock', box: [5, 5, 190, 70] },
    ),
  );
  const elements_file = elementsName(changed.suite.id, sha256Of(map));
  await api.ctx.storage.put(elements_file, map);
  await api.ctx.db('page_results').where({ test_run_id: changed.run.id }).update({ elements_file });
  return changed;
}

/** Does what the queued jobs would, as no worker runs in these tests. */
export async function judge(api: TestApi, { suite, run }: ChangedRun): Promise<void> {
  const { ctx } = worldOf(api);
  await judgeSuite(ctx, { suiteId: suite.id });
  await judgeRun(ctx, { runId: run.id });
  await api.ctx.db.raw('delete from graphile_worker._private_jobs');
}
