import type { Computed, Statements } from '../db/query.ts';
import type { UserSummary } from './user.ts';

/** A row of `users` as JSON. Null where a left join found none. @param user its name in the statement */
export const personSql = (user: string): string =>
  `case when ${user}.id is not null then json_build_object(
     'id', ${user}.id, 'name', ${user}.name, 'email', ${user}.email, 'image', ${user}.image) end`;

/** The same as a column of a query. @param name of the column */
export function personColumn<Name extends string>(
  db: Statements,
  name: Name,
  user: string,
): Computed<Name, UserSummary | null> {
  return Object.assign(db.raw(`${personSql(user)} as ${name}`), { computed: { name } });
}
