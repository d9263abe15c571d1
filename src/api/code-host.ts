import { z } from 'zod';
import { cutList, cutWhole } from '../db/list-part.ts';
import { examineSuite } from '../github/doctor/examine-suite.ts';
import { listOpenPulls, tryPullRequest } from '../github/first-check/try-pull-request.ts';
import { listInstallations, listRepositories } from '../github/sign-in/list-linkable.ts';
import { onSuite } from '../http/acts-on.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { listRoute, route } from './api-route.ts';
import * as schemas from './schemas/code-host-schemas.ts';
import { RunTestSuiteResponse } from './schemas/run-schemas.ts';

const UNASKED = { 403: 'GitHub no longer accepts the caller’s sign-in. Sign in with GitHub again.' };

export const getInstallations = listRoute(
  {
    operationId: 'listCodeHostInstallations',
    summary: 'List the GitHub App installations that the caller can link',
    description:
      'Returns the installations that the linked GitHub account can see, each with the repositories it can see. If sign-in with GitHub is not configured, returns all installations when registration is closed, and none when it is open.',
    response: z.array(schemas.CodeHostInstallation),
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
    query: schemas.CodeHostReposQuery,
    response: z.array(schemas.CodeHostRepo),
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
    query: schemas.DoctorQuery,
    response: schemas.CodeHostDiagnosis,
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
    response: z.array(schemas.OpenPullRequest),
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
    body: schemas.CheckPullRequestInput,
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
