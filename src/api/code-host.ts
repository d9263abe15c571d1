import { z } from 'zod';
import { examineSuite } from '../github/doctor.ts';
import { listInstallations, listRepositories } from '../github/list-linkable.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { presentDiagnosis, presentInstallation } from './present-code-host.ts';
import { route } from './route.ts';
import * as schemas from './schemas/code-host.ts';

const tag = 'Code host';

const UNASKED = { 403: 'GitHub no longer takes the sign-in of the caller: they sign in with GitHub again' };

export const getInstallations = route(
  {
    operationId: 'listCodeHostInstallations',
    summary: 'Installations of the GitHub App that the caller may link',
    description:
      'Those that the linked GitHub account sees, with those of their repositories that it sees. Where sign-in with GitHub is not configured: all when registration is closed, else none.',
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
    summary: 'Repositories that the caller may link',
    description:
      'Those that the linked GitHub account sees. Where sign-in with GitHub is not configured: all when registration is closed, else none.',
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
    summary: 'Why the check of a suite may not arrive, and how to mend it',
    description:
      'Looks at the App, its installation, permissions, events and deliveries, the last preview, the rules of the default branch and the merge queue.',
    tag,
    status: 200,
    query: schemas.DoctorQuery,
    response: schemas.CodeHostDiagnosis,
    failures: { 404: 'Not there, or the caller has no access to it' },
  },
  async (ctx, { viewer, query }) => {
    const suite = await getSuiteFor(ctx, viewer, query.suiteId, 'suite.read');
    return presentDiagnosis(suite.id, await examineSuite(ctx, suite));
  },
);
