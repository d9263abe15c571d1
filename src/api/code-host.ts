import { z } from 'zod';
import { examineSuite } from '../github/doctor/examine-suite.ts';
import { listInstallations, listRepositories } from '../github/sign-in/list-linkable.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { presentDiagnosis, presentInstallation } from './present-code-host.ts';
import { route } from './api-route.ts';
import * as schemas from './schemas/code-host-schemas.ts';

const tag = 'Code host';

const UNASKED = { 403: "GitHub no longer accepts the caller's sign-in. Sign in with GitHub again." };

export const getInstallations = route(
  {
    operationId: 'listCodeHostInstallations',
    summary: 'List the GitHub App installations that the caller can link',
    description:
      'Returns the installations that the linked GitHub account can see, each with the repositories it can see. If sign-in with GitHub is not configured, returns all installations when registration is closed, and none when it is open.',
    tag,
    status: 200,
    response: z.array(schemas.CodeHostInstallation),
    failures: UNASKED,
  },
  async (ctx, { viewer }) => (await listInstallations(ctx, viewer)).map(presentInstallation),
);

export const getRepos = route(
  {
    operationId: 'listCodeHostRepos',
    summary: 'List the repositories that the caller can link',
    description:
      'Returns the repositories that the linked GitHub account can see. If sign-in with GitHub is not configured, returns all repositories when registration is closed, and none when it is open.',
    tag,
    status: 200,
    query: schemas.CodeHostReposQuery,
    response: z.array(schemas.CodeHostRepo),
    failures: UNASKED,
  },
  async (ctx, { viewer, query }) => listRepositories(ctx, viewer, query.installationId),
);

export const getDoctor = route(
  {
    operationId: 'examineCodeHostLink',
    summary: "Find out why a suite's check does not arrive, and how to fix it",
    description:
      'Examines the app, its installation, permissions, events and deliveries, the last preview, the rules of the default branch, and the merge queue.',
    tag,
    status: 200,
    query: schemas.DoctorQuery,
    response: schemas.CodeHostDiagnosis,
    failures: { 404: 'The suite does not exist, or the caller has no access to it' },
  },
  async (ctx, { viewer, query }) => {
    const suite = await getSuiteFor(ctx, viewer, query.suiteId, 'suite.read');
    return presentDiagnosis(suite.id, await examineSuite(ctx, suite));
  },
);
