import type { Context } from '../../context.ts';
import { assertNever } from '../../errors.ts';
import type { Suite, SuiteFor } from '../../suites/suite.ts';
import { formatList } from '../../text/format.ts';
import { readCredentials } from '../app/credentials.ts';
import type { GitHubContext } from '../app/github-client.ts';
import {
  diagnoseApp,
  diagnoseDeliveries,
  diagnoseEvents,
  diagnoseInstallation,
  diagnoseMissedEvents,
  diagnosePermissions,
  diagnoseWebhook,
} from './diagnose-app.ts';
import { diagnosePreview } from './diagnose-preview.ts';
import { diagnoseMergeQueue, diagnoseRequiredCheck } from './diagnose-rules.ts';
import {
  failed,
  ok,
  warning,
  worstStatus,
  type Answer,
  type DoctorFacts,
  type Finding,
  type FindingStatus,
  type FoundSignal,
  type LastPreview,
  type SeenDelivery,
} from './doctor-facts.ts';
import { readApp, readDoctorFacts } from './read-doctor-facts.ts';

/** Whether checks show crops of what changed. Checks work without them, so this is never a problem. */
function diagnoseImages({ images, publicUrl }: Pick<DoctorFacts, 'images' | 'publicUrl'>): Answer {
  const none = 'Checks show no images of what changed';
  switch (images) {
    case 'REACHABLE':
      return ok(`Checks show images of what changed, because GitHub can reach ${publicUrl}.`);
    case 'SWITCHED_ON':
      return ok('Checks show images of what changed, because CHECK_IMAGES is true.');
    case 'SWITCHED_OFF':
      return ok(`${none}, because CHECK_IMAGES is false.`);
    case 'UNREACHABLE':
      return ok(`${none}, because GitHub can’t reach ${publicUrl}.`);
    case 'UNPROVEN':
      return ok(`${none} until GitHub delivers an event: whether it can reach ${publicUrl} is not known.`);
    default:
      return assertNever(images);
  }
}

/** Workers with different browsers, fonts or processors draw the same page with different pixels. */
function diagnoseEngines({ engines }: Pick<DoctorFacts, 'engines'>): Answer {
  const [first] = engines;
  if (first === undefined) return ok('No worker has captured a page in the last day.');
  if (engines.length === 1) return ok(`All workers capture with ${first}.`);
  return warning(
    `Workers captured with ${engines.length} different browsers in the last day: ${formatList(engines)}.`,
    'Use the same browser, fonts and processor type on all workers. See “Moving to a new browser” in docs/operating.md.',
  );
}

/** Why a check of the suite may not arrive, and what has arrived so far. */
export type Diagnosis = {
  /** `owner/repo`. Null: no repository is linked. */
  repository: string | null;
  /** The exact name that a branch rule must require. */
  checkName: string | null;
  status: FindingStatus;
  findings: Finding[];
  deliveries: SeenDelivery[];
  /** The signals of the repository's previews, by name, and which of them the suite uses. */
  signals: FoundSignal[];
  lastPreview: LastPreview | null;
  at: Date;
};

/** Pure: the same facts give the same findings. */
export function diagnose(facts: DoctorFacts): Finding[] {
  return [
    { name: 'installation', ...diagnoseInstallation(facts) },
    { name: 'permissions', ...diagnosePermissions(facts) },
    { name: 'events', ...diagnoseEvents(facts) },
    { name: 'webhook', ...diagnoseWebhook(facts) },
    { name: 'deliveries', ...diagnoseDeliveries(facts) },
    { name: 'missed_events', ...diagnoseMissedEvents(facts) },
    { name: 'preview', ...diagnosePreview(facts) },
    { name: 'required_check', ...diagnoseRequiredCheck(facts) },
    { name: 'merge_queue', ...diagnoseMergeQueue(facts) },
    { name: 'engines', ...diagnoseEngines(facts) },
    { name: 'images', ...diagnoseImages(facts) },
  ];
}

function diagnoseLink({ codehost, isActive }: Suite): Answer {
  if (codehost === null) {
    return failed('The suite is not linked to a repository.', 'Link a repository in the suite.');
  }
  const repository = `${codehost.owner}/${codehost.repo}`;
  if (isActive) return ok(`The suite is linked to ${repository}.`);
  const message = `The suite is linked to ${repository} but is inactive, so its pull requests get no check.`;
  return failed(message, 'Activate the suite.');
}

function unconnected({ publicUrl }: Context['config']): Answer {
  const remedy = `Set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET, or create the app at ${publicUrl}/setup.`;
  return failed('Pixelgate is not connected to GitHub.', remedy);
}

/** Examines everything between a pull request and its check. */
export async function examineSuite(ctx: GitHubContext, suite: SuiteFor): Promise<Diagnosis> {
  const credentials = await readCredentials(ctx);
  const { codehost } = suite;
  const facts =
    credentials === null || codehost === null ? null : await readDoctorFacts(ctx, credentials.appId, suite, codehost);
  const app = facts?.app ?? (credentials === null ? null : await readApp(ctx));
  const connection =
    credentials === null || app === null
      ? unconnected(ctx.config)
      : diagnoseApp(credentials.appId, app, facts?.installation.known ?? false);
  const findings: Finding[] = [
    { name: 'app', ...connection },
    { name: 'link', ...diagnoseLink(suite) },
    ...(facts === null ? [] : diagnose(facts)),
  ];
  return {
    repository: codehost === null ? null : `${codehost.owner}/${codehost.repo}`,
    checkName: facts?.checkName ?? null,
    status: worstStatus(findings),
    findings,
    deliveries: facts?.deliveries ?? [],
    signals: facts?.signals ?? [],
    lastPreview: facts?.lastPreview ?? null,
    at: facts?.now ?? ctx.clock.now(),
  };
}
