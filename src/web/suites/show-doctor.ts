import type { Context } from '../../context.ts';
import type { FoundSignal, SignalUse } from '../../github/doctor/doctor-facts.ts';
import type { FindingName, FindingStatus } from '../../github/doctor/doctor-finding.ts';
import { examineSuite } from '../../github/doctor/examine-suite.ts';
import { describeSignal } from '../../pull-requests/previews/preview-search.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { askGitHub } from '../ask-github.ts';
import type { Badge } from '../badge.ts';
import type { IconName } from '../icons.ts';

const NAMES: Record<FindingName, string> = {
  app: 'GitHub App',
  link: 'Link',
  installation: 'Installation',
  permissions: 'Permissions',
  events: 'Events',
  webhook: 'Webhook',
  deliveries: 'Deliveries',
  preview: 'Preview',
  required_check: 'Required check',
  engines: 'Browsers',
  images: 'Images in checks',
  missed_events: 'Missed events',
  merge_queue: 'Merge queue',
};

const LOOKS: Record<FindingStatus, { icon: IconName; tone: string; word: string }> = {
  ok: { icon: 'check-circle-fill', tone: 'success', word: 'OK' },
  warning: { icon: 'alert', tone: 'attention', word: 'Warning' },
  failed: { icon: 'x-circle-fill', tone: 'danger', word: 'Failed' },
};

const VERDICTS: Record<FindingStatus, string> = {
  ok: 'Everything is set up correctly.',
  warning: 'Checks should work, but fix these warnings.',
  failed: 'Checks won’t appear until you fix these problems.',
};

const USES: Record<SignalUse, Badge> = {
  TAKEN: { label: 'Used', tone: 'success', icon: 'check-circle' },
  ONE_OF_SEVERAL: { label: 'One of several', tone: 'attention', icon: 'alert' },
  NOT_TAKEN: { label: 'Not used', tone: 'muted', icon: 'skip' },
};

const STATES: Record<FoundSignal['state'], string> = {
  PENDING: 'running',
  READY: 'ready',
  FAILED: 'failed',
  SKIPPED: 'skipped',
};

/** The results of checking everything that a pull request's check depends on. */
export async function doctorModel(ctx: Context, suite: SuiteFor) {
  const examine = async () => examineSuite(ctx, suite);
  const { found, failure } = await askGitHub(ctx, 'could not examine the setup of a suite', examine, {
    suiteId: suite.id,
  });
  if (found === null) return { failure };
  const { status, findings, signals, checkName, at } = found;
  return {
    failure,
    verdict: VERDICTS[status],
    tone: LOOKS[status].tone,
    findings: findings.map(({ name, status: each, ...finding }) => ({ ...LOOKS[each], ...finding, name: NAMES[name] })),
    signals: signals.map((signal) => ({
      ...signal,
      badge: USES[signal.use],
      name: describeSignal(signal),
      state: STATES[signal.state],
    })),
    checkName,
    at,
  };
}
