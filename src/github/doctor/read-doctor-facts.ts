import type { Db } from '../../db/database.ts';
import { listEngines } from '../../runs/page-jobs/choose-engine.ts';
import { settingsFor, type SuiteSettings } from '../../suites/config-file/config-file.ts';
import { namesSignals } from '../../suites/config/preview-matcher.ts';
import { hasSummaryCheck, linkedSuites } from '../../suites/linked-suites.ts';
import { toRepositoryKey, type CodeHostLink, type RepositoryName, type Suite } from '../../suites/suite.ts';
import { isOutOfReach } from '../app/addresses.ts';
import { readAppFile, repositoryPermissions, requiredEvents, type AppFile } from '../app/app-manifest.ts';
import {
  appClient,
  installationClient,
  isGone,
  readStatus,
  unlessGone,
  type GitHub,
  type GitHubContext,
} from '../app/github-client.ts';
import { grantedPermissions } from '../app/installation-facts.ts';
import { findDeliveryRound } from '../catch-up/catch-up-store.ts';
import { isNamed } from '../previews/choose-preview.ts';
import { isOfSeveral, readHeardNames, type HeardName } from '../previews/read-choice.ts';
import { readConfigFile } from '../previews/read-config-file.ts';
import { isOfPreview } from '../previews/signal.ts';
import { findLastDeliveries } from '../webhooks/delivery-store.ts';
import { readImagesInChecks } from '../webhooks/images-in-checks.ts';
import type {
  AppFacts,
  BranchRules,
  DoctorFacts,
  Fact,
  FoundSignal,
  GrantedFacts,
  RequiredCheck,
  SentDelivery,
  SignalUse,
} from './doctor-facts.ts';

/** The maximum number of names that the doctor lists. */
const MOST_LISTED = 30;

/** Several pull requests had it, and its preview was up at least once. */
const isSettled = (heard: HeardName) =>
  heard.signals.some(isOfPreview) && isOfSeveral(heard) && heard.signals.some(({ readyKey }) => readyKey !== null);

function toFound({ newest, signals, pullRequests }: HeardName, use: SignalUse): FoundSignal {
  const { source, name, project, host, state, url, updatedAt } = newest;
  return {
    source,
    name,
    project,
    host,
    state,
    url,
    seenAt: updatedAt,
    use,
    isPreview: signals.some(isOfPreview),
    isOnDefaultBranch: pullRequests === 0 && signals.every(({ onDefaultBranch }) => onDefaultBranch),
  };
}

/**
 * The signals of a repository, and which of them the suite would use.
 * @param file what the repository's file says on the default branch; null when it could not be read
 */
async function readSignals(
  db: Db,
  { config }: Suite,
  link: CodeHostLink,
  file: Pick<SuiteSettings, 'preview' | 'previewUrl'> | null,
): Promise<Pick<DoctorFacts, 'signals' | 'lastPreview' | 'namesPreview' | 'hasTemplate'>> {
  const matcher = file?.preview ?? config.preview;
  const heard = await readHeardNames(db, toRepositoryKey(link));
  const isSeveral = matcher === null && heard.filter(isSettled).length > 1;
  const chooseUse = (each: HeardName): SignalUse => {
    if (matcher !== null) return isNamed(matcher, each.newest) ? 'TAKEN' : 'NOT_TAKEN';
    if (!each.signals.some(isOfPreview)) return 'NOT_TAKEN';
    return isSeveral && isSettled(each) ? 'ONE_OF_SEVERAL' : 'TAKEN';
  };
  const signals = heard.map((each) => toFound(each, chooseUse(each)));
  return {
    signals: [...signals.filter(({ isPreview }) => isPreview), ...signals.filter(({ isPreview }) => !isPreview)].slice(
      0,
      MOST_LISTED,
    ),
    lastPreview: signals.find(({ use }) => use !== 'NOT_TAKEN') ?? null,
    namesPreview: matcher !== null && namesSignals(matcher),
    hasTemplate: (matcher?.url ?? file?.previewUrl ?? null) !== null,
  };
}

/** The rules from the rulesets of the repository and its organization. */
async function rulesets(
  github: GitHub,
  repository: RepositoryName,
  branch: string,
): Promise<Omit<BranchRules, 'branch'>> {
  const rules = await github.paginate(github.rest.repos.getBranchRules, { ...repository, branch, per_page: 100 });
  const required = rules.flatMap((rule) =>
    rule.type === 'required_status_checks' ? (rule.parameters?.required_status_checks ?? []) : [],
  );
  return {
    required: required.map(({ context, integration_id: appId }) => ({ context, appId: appId ?? null })),
    mergeQueue: rules.some((rule) => rule.type === 'merge_queue'),
  };
}

/** The checks that classic branch protection requires. Only administrators can read its other settings. */
async function protection(github: GitHub, repository: RepositoryName, branch: string): Promise<RequiredCheck[]> {
  const { data } = await github.rest.repos.getBranch({ ...repository, branch });
  const required = data.protection?.required_status_checks;
  if (data.protection?.enabled === false || required === undefined) return [];
  const checks = (required.checks ?? []).map(({ context, app_id: appId }) => ({ context, appId }));
  const others = (required.contexts ?? []).filter((context) => !checks.some((check) => check.context === context));
  return [...checks, ...others.map((context) => ({ context, appId: null }))];
}

/** GitHub writes -1 for any App. */
const anySource = (check: RequiredCheck): RequiredCheck => (check.appId === -1 ? { ...check, appId: null } : check);

/**
 * What the default branch requires before a merge. Throws an error that `isGone` recognizes when we can't see the
 * repository.
 */
async function readBranchRules(github: GitHub, repository: RepositoryName): Promise<BranchRules> {
  const { data } = await github.rest.repos.get(repository);
  const branch = data.default_branch;
  // An empty repository has no branch, and some plans have no rulesets.
  const rules = await unlessGone(async () => rulesets(github, repository, branch));
  const classic = await unlessGone(async () => protection(github, repository, branch));
  const required = [...(rules?.required ?? []), ...(classic ?? [])].map(anySource);
  return { branch, required, mergeQueue: rules?.mergeQueue ?? false };
}

async function ask<T>({ log }: GitHubContext, question: () => Promise<T>): Promise<Fact<T>> {
  try {
    return { known: true, value: await question() };
  } catch (error) {
    log.info({ err: error }, 'GitHub did not respond to the setup doctor');
    if (readStatus(error) === 401) return { known: false, why: 'refused' };
    return { known: false, why: isGone(error) ? 'gone' : 'unreachable' };
  }
}

/** What the App requests now. */
export async function readApp(ctx: GitHubContext): Promise<Fact<AppFacts>> {
  const app = await appClient(ctx);
  return ask(ctx, async () => {
    const { data } = await app.rest.apps.getAuthenticated();
    return {
      permissions: data?.permissions ? grantedPermissions(data.permissions) : null,
      events: data?.events ?? null,
    };
  });
}

async function readInstallation(app: GitHub, installationId: number): Promise<GrantedFacts> {
  const { data } = await app.rest.apps.getInstallation({ installation_id: installationId });
  return {
    suspended: data.suspended_at !== null && data.suspended_at !== undefined,
    permissions: grantedPermissions(data.permissions ?? {}),
    events: data.events ?? [],
    settingsUrl: data.html_url,
  };
}

async function readWebhookUrl(app: GitHub): Promise<string | null> {
  const { data } = await app.rest.apps.getWebhookConfigForApp();
  return data.url ?? null;
}

/** The newest delivery for this installation or for the App itself. */
async function readLastSent(app: GitHub, installationId: number): Promise<SentDelivery | null> {
  const { data } = await app.rest.apps.listWebhookDeliveries({ per_page: 50 });
  const sent = data.find((each) => (each.installation_id ?? null) === null || each.installation_id === installationId);
  if (sent === undefined) return null;
  return { event: sent.event, statusCode: sent.status_code, deliveredAt: new Date(sent.delivered_at) };
}

/** What the repository's file says for the suite, on the default branch. Null: it can't be read. */
async function readSettings(ctx: GitHubContext, suite: Suite, link: CodeHostLink): Promise<SuiteSettings | null> {
  const { owner, repo, installationId } = link;
  const file = await ask(ctx, async () => readConfigFile(ctx, { owner, repo, installationId }));
  return file.known && file.value.settings !== null ? settingsFor(file.value.settings, suite.name) : null;
}

async function readCheckNames(ctx: GitHubContext, suite: Suite, link: CodeHostLink) {
  const linked = await linkedSuites(ctx, link);
  const own = linked.find((each) => each.suite.id === suite.id)?.checkName;
  return {
    checkName: own ?? link.checkContext ?? ctx.config.checkName,
    otherCheckNames: linked.filter((each) => each.suite.id !== suite.id).map((each) => each.checkName),
    defaultCheckName: ctx.config.checkName,
    summaryName: hasSummaryCheck(linked.map((each) => each.suite)) ? ctx.config.checkName : null,
  };
}

/** Only the comment needs write access to pull requests. Older Apps have read access, which is enough for the rest. */
function neededPermissions(file: AppFile, { config }: Pick<Suite, 'config'>): AppFile['default_permissions'] {
  const permissions = repositoryPermissions(file);
  return config.pullRequestComment ? permissions : { ...permissions, pull_requests: 'read' };
}

/** Reads everything that can keep a check of the suite from arriving, from GitHub and from our own records. */
export async function readDoctorFacts(
  ctx: GitHubContext,
  appId: number,
  suite: Suite,
  link: CodeHostLink,
): Promise<DoctorFacts> {
  const { installationId, owner, repo } = link;
  const app = await appClient(ctx);
  const github = await installationClient(ctx, installationId);
  const file = await readAppFile();
  const repository = `${owner}/${repo}`;
  const [known, installation, rules, webhookUrl, lastSent, settings] = await Promise.all([
    readApp(ctx),
    ask(ctx, async () => readInstallation(app, installationId)),
    ask(ctx, async () => readBranchRules(github, { owner, repo })),
    ask(ctx, async () => readWebhookUrl(app)),
    ask(ctx, async () => readLastSent(app, installationId)),
    readSettings(ctx, suite, link),
  ]);
  return {
    now: ctx.clock.now(),
    appId,
    app: known,
    needs: { permissions: neededPermissions(file, suite), events: requiredEvents(file) },
    publicUrl: ctx.config.publicUrl,
    outOfReach: isOutOfReach(ctx.config),
    repository,
    ...(await readCheckNames(ctx, suite, link)),
    installation,
    rules,
    webhookUrl,
    lastSent,
    deliveries: await findLastDeliveries(ctx.db, installationId, repository),
    lookedForMissed: await findDeliveryRound(ctx.db, appId),
    ...(await readSignals(ctx.db, suite, link, settings)),
    images: await readImagesInChecks(ctx),
    engines: (await listEngines(ctx)).map(({ engine }) => engine),
  };
}
