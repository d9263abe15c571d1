import { knownName } from '../../auth/user.ts';
import type { BaselineSource, BaselineVersion } from '../../baselines/baseline.ts';
import type { Config } from '../../config.ts';
import { webAddress } from '../../github/app/addresses.ts';
import type { CodeHostLink, SuiteForViewer } from '../../suites/suite.ts';
import { imagePath } from '../comparison/read-image.ts';

const SOURCES: Record<BaselineSource, string> = {
  INITIAL: 'First screenshot, not reviewed',
  MANUAL: 'Approved in a site run',
  BRANCH: 'Approved in a branch preview',
  PR_MERGE: 'Approved and merged with pull request',
  API: 'Set manually',
};

/** How a version was created, for people. */
function describeOrigin(
  { source, prNumber, testRunId, pageResultId }: BaselineVersion,
  codehost: CodeHostLink | null,
  config: Pick<Config, 'github'>,
) {
  const repository = codehost === null ? null : `${webAddress(config)}/${codehost.owner}/${codehost.repo}`;
  const href = repository === null ? null : `${repository}/pull/${prNumber}`;
  const result = pageResultId === null ? '' : `/results/${pageResultId}`;
  return {
    source: SOURCES[source],
    pullRequest: prNumber === null ? null : { label: `#${prNumber}`, href },
    run: testRunId === null ? null : `/runs/${testRunId}${result}`,
  };
}

/** A version as lists show it. */
export const versionRow = (config: Config, suite: SuiteForViewer, version: BaselineVersion) => ({
  ...version,
  by: knownName(version.approvedBy),
  origin: describeOrigin(version, suite.codehost, config),
  image: imagePath(config, version.filePath),
});
