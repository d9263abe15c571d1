import type { SignalKey } from '../../pull-requests/previews/preview-search.ts';
import type { SignalState } from '../previews/report.ts';
import type { ImagesInChecks } from '../webhooks/images-in-checks.ts';

/**
 * The answer to a question, or why there is none. `gone`: GitHub has no such thing that we may see. `refused`: GitHub
 * rejects the App's credentials. `unreachable`: GitHub can't be asked now.
 */
export type Fact<T> = { known: true; value: T } | { known: false; why: 'gone' | 'refused' | 'unreachable' };

export type RequiredCheck = {
  context: string;
  /** The only App whose check counts. Null: any App. */
  appId: number | null;
};

/** What the rules of the default branch require. */
export type BranchRules = { branch: string; required: RequiredCheck[]; mergeQueue: boolean };

/** A field is null when GitHub does not return it. */
export type AppFacts = { permissions: Record<string, string> | null; events: string[] | null };

/** What the account has granted: the permissions and events that the App requested when the account last accepted. */
export type GrantedFacts = {
  suspended: boolean;
  permissions: Record<string, string>;
  events: string[];
  settingsUrl: string;
};

/** GitHub's record of its newest delivery to us. Status code 0: we did not answer. */
export type SentDelivery = { event: string; statusCode: number; deliveredAt: Date };

export type SeenDelivery = { event: string; receivedAt: Date };

export const SIGNAL_USES = ['TAKEN', 'ONE_OF_SEVERAL', 'NOT_TAKEN'] as const;

/** ONE_OF_SEVERAL: it fits, and so do others. */
export type SignalUse = (typeof SIGNAL_USES)[number];

/** A signal of the repository, by its name, in its latest state. */
export type FoundSignal = SignalKey & {
  /** The host of previews that it comes from, or that of a deployment's address. */
  host: string | null;
  state: SignalState;
  url: string | null;
  seenAt: Date;
  use: SignalUse;
  /** Not a status or check of anything else, such as tests. */
  isPreview: boolean;
  /** It occurred only on the default branch, and on no head of a pull request. */
  isOnDefaultBranch: boolean;
};

export type LastPreview = Pick<FoundSignal, 'source' | 'name' | 'url' | 'seenAt'>;

/** Everything that the doctor looks at for one linked suite, as it was at `now`. */
export type DoctorFacts = {
  now: Date;
  appId: number;
  /** What the App itself requests. */
  app: Fact<AppFacts>;
  /** What the manifest requests from an account for its repositories. */
  needs: { permissions: Record<string, 'read' | 'write'>; events: string[] };
  publicUrl: string;
  /** GitHub can't reach that. */
  outOfReach: boolean;
  /** `owner/repo`, in GitHub's spelling where it is known. */
  repository: string;
  checkName: string;
  /** Checks of other suites on the repository. */
  otherCheckNames: string[];
  defaultCheckName: string;
  /** The name of the check over all suites. Null: the repository has none. */
  summaryName: string | null;
  installation: Fact<GrantedFacts>;
  rules: Fact<BranchRules>;
  webhookUrl: Fact<string | null>;
  lastSent: Fact<SentDelivery | null>;
  /** The newest delivery of each event, newest first. */
  deliveries: SeenDelivery[];
  /** The outcome of the last search for missed events. Null: there was none. */
  lookedForMissed: { checkedAt: Date; problem: string | null } | null;
  /** Signals that are or may be of previews: previews first, each part newest first. */
  signals: FoundSignal[];
  lastPreview: LastPreview | null;
  /** The settings or the repository's file name the suite's preview. */
  namesPreview: boolean;
  /** They have a template for the address of previews. */
  hasTemplate: boolean;
  images: ImagesInChecks;
  /** The browsers that captured pages in the last day. */
  engines: string[];
};

export const FINDING_STATUSES = ['ok', 'warning', 'failed'] as const;

export type FindingStatus = (typeof FINDING_STATUSES)[number];

export const FINDING_NAMES = [
  'app',
  'link',
  'installation',
  'permissions',
  'events',
  'webhook',
  'deliveries',
  'missed_events',
  'preview',
  'required_check',
  'merge_queue',
  'engines',
  'images',
] as const;

export type FindingName = (typeof FINDING_NAMES)[number];

export type Finding = {
  name: FindingName;
  status: FindingStatus;
  message: string;
  /** One sentence that says how to fix it. Null: there is nothing to fix. */
  remedy: string | null;
};

/** What one examination says. */
export type Answer = Omit<Finding, 'name'>;

export const ok = (message: string): Answer => ({ status: 'ok', message, remedy: null });

export const warning = (message: string, remedy: string): Answer => ({ status: 'warning', message, remedy });

export const failed = (message: string, remedy: string): Answer => ({ status: 'failed', message, remedy });

/** A warning, because we don't know whether something is right when GitHub did not tell us. */
export function unknown(what: string, why: 'gone' | 'refused' | 'unreachable'): Answer {
  if (why === 'unreachable') return warning(`Could not ask GitHub for ${what}.`, 'Try again in a minute.');
  const first = why === 'gone' ? 'the installation' : 'the credentials of the app';
  return warning(`GitHub does not return ${what}.`, `Fix ${first} first, then check again.`);
}

export function worstStatus(findings: readonly Finding[]): FindingStatus {
  if (findings.some(({ status }) => status === 'failed')) return 'failed';
  return findings.some(({ status }) => status === 'warning') ? 'warning' : 'ok';
}
