import { countBaselines } from '../../baselines/baseline-store.ts';
import { countRunnablePages } from '../../pages/site-page-store.ts';
import { listRuns } from '../../runs/list/list-runs.ts';
import type { RunWithSuite } from '../../runs/list/run-list.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import type { GitHubContext } from '../app/github-client.ts';
import type { Finding, FindingName } from '../doctor/doctor-facts.ts';
import { examineSuite } from '../doctor/examine-suite.ts';

/** Which prerequisites of its first check a suite has. */
export type FirstCheck = {
  findings: ReadonlyMap<FindingName, Finding>;
  /** Null: no repository is linked, or GitHub is not connected. */
  checkName: string | null;
  pages: number;
  baselines: number;
  /** The newest run of a pull request. */
  run: RunWithSuite | null;
};

/** Asks GitHub through the doctor, and uses its texts. */
export async function readFirstCheck(ctx: GitHubContext, suite: SuiteFor): Promise<FirstCheck> {
  const [{ findings, checkName }, pages, baselines, { runs }] = await Promise.all([
    examineSuite(ctx, suite),
    countRunnablePages(ctx.db, suite.id),
    countBaselines(ctx.db, suite.id),
    listRuns(ctx, { suite }, { runType: 'PR' }, { limit: 1 }),
  ]);
  return {
    findings: new Map(findings.map((finding) => [finding.name, finding])),
    checkName,
    pages,
    baselines,
    run: runs[0] ?? null,
  };
}
