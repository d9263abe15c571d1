import type { Context } from '../../context.ts';
import { assertNever } from '../../errors.ts';
import { describeSignal } from '../../pull-requests/previews/preview-search.ts';
import type { Suite, SuiteFor } from '../../suites/suite.ts';
import { formatAge, formatList } from '../../text/format.ts';
import { readCredentials } from '../app/credentials.ts';
import type { GitHubContext } from '../app/github-client.ts';
import { LOOKS_LIKE_PREVIEW } from '../previews/signal.ts';
import {
  diagnoseApp,
  diagnoseDeliveries,
  diagnoseEvents,
  diagnoseInstallation,
  diagnoseMissedEvents,
  diagnosePermissions,
  diagnoseWebhook,
} from './diagnose-app.ts';
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

const SETTINGS = 'Choose the suite’s preview in its settings under Pull requests, or in `.github/pixelgate.yml`.';

const list = (signals: FoundSignal[]) => formatList(signals.map(describeSignal));

/** A workflow that runs after another one deploys for the default branch, whichever pull request started it. */
function strayed(signals: FoundSignal[], pullRequestSignals: FoundSignal[]): FoundSignal[] {
  if (pullRequestSignals.length > 0) return [];
  return signals.filter(
    (each) => each.source === 'DEPLOYMENT' && each.isOnDefaultBranch && LOOKS_LIKE_PREVIEW.test(each.name),
  );
}

function describeLast({ lastPreview, now }: DoctorFacts): string {
  if (lastPreview === null) return '';
  const { source, name: called, url, seenAt } = lastPreview;
  const kinds = { DEPLOYMENT: 'deployment to', STATUS: 'commit status', CHECK: 'check', DISPATCH: 'deployment to' };
  const where = url === null ? 'without a URL' : `at ${url}`;
  return `The last preview was the ${kinds[source]} “${called}”, ${where}, ${formatAge(seenAt, now)}.`;
}

/** From the repository's signals: whether there are previews, and which one the suite uses. */
function diagnosePreview(facts: DoctorFacts): Answer {
  const { signals, namesPreview, hasTemplate } = facts;
  const taken = signals.filter(({ use }) => use === 'TAKEN');
  const stray = strayed(
    signals,
    taken.filter((each) => !each.isOnDefaultBranch),
  );
  if (stray.length > 0) {
    const message = `The ${list(stray)} was made for the default branch, and not for the head of a pull request.`;
    return warning(
      message,
      'Deploy previews in a workflow that runs on `pull_request`, or set a preview URL template in the suite’s settings.',
    );
  }
  const several = signals.filter(({ use }) => use === 'ONE_OF_SEVERAL');
  if (several.length > 0) {
    return warning(`Pull requests have several previews that fit this suite: ${list(several)}.`, SETTINGS);
  }
  if (taken.length > 0) {
    const left = signals.filter(({ use, isPreview }) => use === 'NOT_TAKEN' && isPreview);
    return ok([describeLast(facts), ...(left.length === 0 ? [] : [`Not used: ${list(left)}.`])].join(' '));
  }
  if (hasTemplate) return ok('The suite’s settings have a preview URL template.');
  if (namesPreview && signals.length > 0) {
    return warning(`No preview signal matches the suite’s preview setting. Received: ${list(signals)}.`, SETTINGS);
  }
  return warning(
    'No deployment, commit status or check has announced a preview yet.',
    'Make your hosting provider report previews as GitHub deployments, or set a preview URL template in the suite’s settings or as `previewUrl` in `.github/pixelgate.yml`.',
  );
}
