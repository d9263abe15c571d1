import { z } from 'zod';
import { FINDING_NAMES, FINDING_STATUSES } from '../../github/doctor-finding.ts';
import { Id, IsoDate, PublicId, recordFields } from './common.ts';
import { named } from './components.ts';

export const CodeHostInstallation = named(
  'CodeHostInstallation',
  z.object({
    id: recordFields.id,
    installationId: z.int(),
    accountLogin: z.string(),
    accountType: z.string().nullable(),
    repos: z.array(z.string()).describe('owner/repo'),
    createdAt: recordFields.createdAt,
    updatedAt: recordFields.updatedAt,
  }),
);

export const CodeHostRepo = named(
  'CodeHostRepo',
  z.object({ owner: z.string(), repo: z.string(), fullName: z.string(), private: z.boolean() }),
);

export const CodeHostReposQuery = z.object({
  installationId: z.coerce.number('must be a number').int().min(1).optional(),
});

export const DoctorQuery = z.object({ suiteId: Id.describe('The test suite') });

const FindingStatus = named('FindingStatus', z.enum(FINDING_STATUSES));
const ageSeconds = z.int().describe('Whole seconds before `examinedAt`');

export const CodeHostDiagnosis = named(
  'CodeHostDiagnosis',
  z.object({
    testSuiteId: PublicId,
    repository: z.string().nullable().describe('owner/repo; null while none is linked'),
    checkName: z.string().nullable().describe('The exact name that a branch rule must require'),
    status: FindingStatus.describe('The worst of the findings'),
    findings: z.array(
      z.object({
        name: z.enum(FINDING_NAMES),
        status: FindingStatus,
        message: z.string(),
        remedy: z.string().nullable().describe('The sentence that mends it'),
      }),
    ),
    deliveries: z
      .array(z.object({ event: z.string(), receivedAt: IsoDate, ageSeconds }))
      .describe('The newest webhook delivery of each event, the newest first'),
    lastPreview: z
      .object({
        source: z.enum(['DEPLOYMENT', 'STATUS']),
        name: z.string().describe('The environment, or the context of the status'),
        url: z.string().nullable(),
        seenAt: IsoDate,
        ageSeconds,
      })
      .nullable(),
    examinedAt: IsoDate,
  }),
);
