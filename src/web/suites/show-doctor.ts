import type { Context } from '../../context.ts';
import type { FoundSignal, SignalUse } from '../../github/doctor/doctor-facts.ts';
import type { FindingName, FindingStatus } from '../../github/doctor/doctor-finding.ts';
import { examineSuite } from '../../github/doctor/examine-suite.ts';
import { describeSignal } from '../../pull-requests/previews/preview-search.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import type { Badge } from '../badge.ts';
import { describeGitHubFailure } from '../describe-github-failure.ts';
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

const showSignal = (signal: FoundSignal) => ({
  badge: USES[signal.use],
  name: describeSignal(signal),
  host: signal.host,
  state: STATES[signal.state],
  url: signal.url,
  seenAt: signal.seenAt,
});

export type DoctorModel = {
  /** Why nothing could be checked. There are no findings then. */
  failure: string | null;
  verdict: string;
  tone: string;
  findings: { name: string; icon: IconName; tone: string; word: string; message: string; remedy: string | null }[];
  /** The signals of the repository's previews. */
  signals: ReturnType<typeof showSignal>[];
  checkName: string | null;
  at: Date | null;
};

/**
 * The results of checking everything that a pull request's check depends on. Calls GitHub, but never throws when GitHub
 * fails.
 */
export async function doctorModel(ctx: Context, suite: SuiteFor): Promise<DoctorModel> {
  try {
    const { status, findings, signals, checkName, at } = await examineSuite(ctx, suite);
    return {
      failure: null,
      verdict: VERDICTS[status],
      tone: LOOKS[status].tone,
      findings: findings.map(({ name, status: each, message, remedy }) => ({
        ...LOOKS[each],
        name: NAMES[name],
        message,
        remedy,
      })),
      signals: signals.map(showSignal),
      checkName,
      at,
    };
  } catch (error) {
    ctx.log.warn({ err: error, suiteId: suite.id }, 'could not examine the setup of a suite');
    return {
      failure: describeGitHubFailure(error),
      verdict: '',
      tone: 'attention',
      findings: [],
      signals: [],
      checkName: null,
      at: null,
    };
  }
}
