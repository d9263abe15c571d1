import { z } from 'zod';
import { SIGNAL_USES } from '../../github/doctor/doctor-facts.ts';
import { FINDING_NAMES, FINDING_STATUSES } from '../../github/doctor/doctor-finding.ts';
import { Id } from '../../http/acts-on.ts';
import { IsoDate, named, namedObject, PublicId, recordFields, wholeNumber } from './common-schemas.ts';

export const CodeHostInstallation = namedObject('CodeHostInstallation', {
  ...recordFields,
  installationId: z.int(),
  accountLogin: z.string(),
  accountType: z.string().nullable(),
  repos: z.array(z.string()).describe('Full names, in the form owner/repo'),
});

export const CodeHostRepo = namedObject('CodeHostRepo', {
  owner: z.string(),
  repo: z.string(),
  fullName: z.string(),
  private: z.boolean(),
});

export const CodeHostReposQuery = z.object({
  installationId: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
});

export const DoctorQuery = z.object({ suiteId: Id.describe('The suite') });

export const OpenPullRequest = namedObject('OpenPullRequest', {
  number: z.int(),
  title: z.string(),
  author: z.string().nullable().describe('Login on GitHub'),
  branch: z.string(),
  updatedAt: IsoDate,
});

export const CheckPullRequestInput = namedObject('CheckPullRequestInput', {
  number: z.int().min(1).max(2_147_483_647).describe('The pull request'),
});

const FindingStatus = named('FindingStatus', z.enum(FINDING_STATUSES));
const SignalSource = z.enum(['DEPLOYMENT', 'STATUS', 'CHECK', 'DISPATCH']);
const SignalName = z
  .string()
  .describe('The environment of the deployment, the context of the commit status, or the name of the check');
const ageSeconds = z.int().describe('Seconds before `examinedAt`');

export const CodeHostDiagnosis = namedObject('CodeHostDiagnosis', {
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
