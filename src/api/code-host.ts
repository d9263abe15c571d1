import { z } from 'zod';
import { cutList, cutWhole } from '../db/list-part.ts';
import { FINDING_NAMES, FINDING_STATUSES, SIGNAL_USES } from '../github/doctor/doctor-facts.ts';
import { examineSuite } from '../github/doctor/examine-suite.ts';
import { listOpenPulls, tryPullRequest } from '../github/first-check/try-pull-request.ts';
import { listInstallations, listRepositories } from '../github/sign-in/list-linkable.ts';
import { Id, onSuite } from '../http/acts-on.ts';
import { INTEGER_MAX } from '../runs/run.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { listRoute, route } from './api-route.ts';
import { RunTestSuiteResponse } from './run-schemas.ts';
import { IsoDate, named, namedObject, PublicId, recordFields, wholeNumber } from './suite-schemas.ts';

const CodeHostInstallation = namedObject('CodeHostInstallation', {
  ...recordFields,
  installationId: z.int(),
  accountLogin: z.string(),
  accountType: z.string().nullable(),
  repos: z.array(z.string()).describe('Full names, in the form owner/repo'),
});

const CodeHostRepo = namedObject('CodeHostRepo', {
  owner: z.string(),
  repo: z.string(),
  fullName: z.string(),
  private: z.boolean(),
});

const OpenPullRequest = namedObject('OpenPullRequest', {
  number: z.int(),
  title: z.string(),
  author: z.string().nullable().describe('Login on GitHub'),
  branch: z.string(),
  updatedAt: IsoDate,
});

const FindingStatus = named('FindingStatus', z.enum(FINDING_STATUSES));
const SignalSource = z.enum(['DEPLOYMENT', 'STATUS', 'CHECK', 'DISPATCH']);
const SignalName = z
  .string()
  .describe('The environment of the deployment, the context of the commit status, or the name of the check');
const ageSeconds = z.int().describe('Seconds before `examinedAt`');

const CodeHostDiagnosis = namedObject('CodeHostDiagnosis', {
  testSuiteId: PublicId,
  repository: z.string().nullable().describe('owner/repo; null while the suite is not linked'),
  checkName: z
    .string()
    .nullable()
    .describe(
      'The exact name of the check that a branch rule must require; null while GitHub is not connected or no repository is linked',
    ),
  status: FindingStatus.describe('The worst status among the findings'),
  findings: z.array(
    z.object({
      name: z.enum(FINDING_NAMES),
      status: FindingStatus,
      message: z.string(),
      remedy: z.string().nullable().describe('How to fix it; null when there is nothing to do'),
    }),
  ),
  deliveries: z
    .array(z.object({ event: z.string(), receivedAt: IsoDate, ageSeconds }))
    .describe('The last webhook delivery of each event, newest first'),
  signals: z
    .array(
      z.object({
        source: SignalSource,
        name: SignalName,
        project: z.string().nullable().describe('The project it belongs to, besides its name'),
        host: z
          .string()
          .nullable()
          .describe('The preview host if it is recognized, otherwise the host of the deployment URL'),
        state: z.enum(['PENDING', 'READY', 'FAILED', 'SKIPPED']),
        url: z.string().nullable(),
        use: z.enum(SIGNAL_USES).describe('Whether the suite uses its previews'),
        seenAt: IsoDate,
        ageSeconds,
      }),
    )
    .describe('Preview signals of the repository in the last 30 days, by name, at most 30'),
  lastPreview: z
    .object({
      source: SignalSource,
      name: SignalName,
      url: z.string().nullable(),
      seenAt: IsoDate,
      ageSeconds,
    })
    .nullable(),
  examinedAt: IsoDate,
});

const UNASKED = { 403: 'GitHub no longer accepts the caller’s sign-in. Sign in with GitHub again.' };

export const getInstallations = listRoute(
  {
    operationId: 'listCodeHostInstallations',
    summary: 'List the GitHub App installations that the caller can link',
    description:
      'Returns the installations that the linked GitHub account can see, each with the repositories it can see. If sign-in with GitHub is not configured, returns all installations when registration is closed, and none when it is open.',
    response: z.array(CodeHostInstallation),
    list: { most: 1000, place: z.tuple([z.string(), z.string()]) },
    failures: UNASKED,
  },
  async (ctx, { viewer, part }) => {
    const byName = ({ accountLogin }: { accountLogin: string }) => accountLogin.toLowerCase();
    const all = await listInstallations(ctx, viewer);
    return cutWhole(all, part, byName, (installation, than) => byName(installation) > than);
  },
);

export const getRepos = listRoute(
  {
    operationId: 'listCodeHostRepos',
    summary: 'List the repositories that the caller can link',
    description:
      'Returns the repositories that the linked GitHub account can see. If sign-in with GitHub is not configured, returns all repositories when registration is closed, and none when it is open.',
    query: z.object({ installationId: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional() }),
    response: z.array(CodeHostRepo),
    list: { most: 1000, place: z.tuple([z.string()]) },
    failures: UNASKED,
  },
  async (ctx, { viewer, query, part: { limit, after } }) => {
    const all = await listRepositories(ctx, viewer, query.installationId);
    const rest = after === null ? all : all.filter(({ fullName }) => fullName.localeCompare(after[0]) > 0);
    return cutList(rest, limit, ({ fullName }): [string] => [fullName]);
  },
);

/** The age in whole seconds. Never negative, even if the clock was set back. */
const ageAt = (now: Date, then: Date) => Math.max(0, Math.floor((now.getTime() - then.getTime()) / 1000));

export const getDoctor = route(
  {
    operationId: 'examineCodeHostLink',
    summary: 'Find out why a suite’s check does not arrive, and how to fix it',
    description:
      'Examines the app, its installation, permissions, events and deliveries, the last preview, the rules of the default branch, and the merge queue.',
    query: z.object({ suiteId: Id.describe('The suite') }),
    response: CodeHostDiagnosis,
    failures: { 404: 'The suite does not exist, or the caller has no access to it' },
  },
  async (ctx, { viewer, query }) => {
    const suite = await getSuiteFor(ctx, viewer, query.suiteId, 'suite.read');
    const { at, ...diagnosis } = await examineSuite(ctx, suite);
    const { deliveries, signals, lastPreview } = diagnosis;
    return {
      ...diagnosis,
      testSuiteId: suite.id,
      deliveries: deliveries.map((delivery) => ({ ...delivery, ageSeconds: ageAt(at, delivery.receivedAt) })),
      signals: signals.map((signal) => ({
        ...signal,
        project: signal.project === '' ? null : signal.project,
        ageSeconds: ageAt(at, signal.seenAt),
      })),
      lastPreview: lastPreview && { ...lastPreview, ageSeconds: ageAt(at, lastPreview.seenAt) },
      examinedAt: at,
    };
  },
);

export const getPullRequests = route(
  {
    operationId: 'listOpenPullRequests',
    summary: 'List the open pull requests of a suite’s repository, at most 20, most recently updated first',
    ...onSuite('suite.run'),
    response: z.array(OpenPullRequest),
    failures: {
      403: 'The role is not enough, or the caller’s GitHub account does not see the repository',
      409: 'No repository is linked',
    },
  },
  async (ctx, { suite }) => listOpenPulls(ctx, suite),
);

export const postPullRequest = route(
  {
    operationId: 'runPullRequest',
    summary: 'Check an open pull request’s head now, as if it had just been opened',
    description: 'An existing run of the head is kept, unless it ended before it captured anything.',
    status: 202,
    ...onSuite('suite.run'),
    body: namedObject('CheckPullRequestInput', {
      number: z.int().min(1).max(INTEGER_MAX).describe('The pull request'),
    }),
    response: RunTestSuiteResponse,
    failures: {
      403: 'The role is not enough, or the caller’s GitHub account does not see the repository',
      409: 'No repository is linked, the suite is inactive, or the pull request is not open',
    },
  },
  async (ctx, { suite, body }) => {
    const testRunId = await tryPullRequest(ctx, suite, body.number);
    return { message: `Started a check for pull request #${body.number}`, testRunId };
  },
);
