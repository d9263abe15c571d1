import type { z } from 'zod';
import type { LinkableInstallation } from '../github/list-linkable.ts';
import type { CodeHostInstallation } from './schemas/code-host.ts';

export function presentInstallation(installation: LinkableInstallation): z.output<typeof CodeHostInstallation> {
  return {
    id: installation.id,
    installationId: installation.installationId,
    accountLogin: installation.accountLogin,
    accountType: installation.accountType,
    repos: installation.repos,
    createdAt: installation.createdAt.toISOString(),
    updatedAt: installation.updatedAt.toISOString(),
  };
}
