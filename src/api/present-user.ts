import type { z } from 'zod';
import type { User, UserSummary } from '../auth/user.ts';
import type * as users from './schemas/user-schemas.ts';

export function presentUser(user: User): z.output<typeof users.User> {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    image: user.image,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

function presentSummary(summary: UserSummary): z.output<typeof users.UserSummary> {
  return { id: summary.id, name: summary.name, email: summary.email, image: summary.image };
}

export function presentSummaryOrNull(summary: UserSummary | null): z.output<typeof users.UserSummary> | null {
  return summary === null ? null : presentSummary(summary);
}
