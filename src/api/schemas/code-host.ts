import { z } from 'zod';
import { recordFields } from './common.ts';
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
