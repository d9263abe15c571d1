import type { z } from 'zod';
import type { Grant } from '../access/grant.ts';
import type { SuiteForViewer } from '../suites/suite.ts';
import { presentSummaryOrNull } from './present-user.ts';
import type { TestSuiteGrant, TestSuiteViewerAccess } from './schemas/access-schemas.ts';

export function presentAccess(access: SuiteForViewer['access']): z.output<typeof TestSuiteViewerAccess> {
  return { role: access.role, isOwner: access.isOwner, via: access.via, team: access.team };
}

export function presentGrant(grant: Grant): z.output<typeof TestSuiteGrant> {
  return {
    id: grant.id,
    testSuiteId: grant.testSuiteId,
    principal: { type: grant.principal.type, id: grant.principal.id },
    role: grant.role,
    user: presentSummaryOrNull(grant.user),
    team: grant.team,
    grantedBy: presentSummaryOrNull(grant.grantedBy),
    createdAt: grant.createdAt.toISOString(),
    updatedAt: grant.updatedAt.toISOString(),
  };
}
