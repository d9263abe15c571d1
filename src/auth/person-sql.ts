import { z } from 'zod';
import type { UserSummary } from './user.ts';

/** What `personSql` selects. */
export const Person: z.ZodType<UserSummary> = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  image: z.string().nullable(),
});

/** A row of `users` as JSON. Null where a left join found none. @param user its name in the statement */
export const personSql = (user: string): string =>
  `case when ${user}.id is not null then json_build_object(
     'id', ${user}.id, 'name', ${user}.name, 'email', ${user}.email, 'image', ${user}.image) end`;
