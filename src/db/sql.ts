/** A part of a statement with its bindings, as `whereRaw` takes them. */
export type Sql = [sql: string, bindings: (string | number | boolean | string[])[]];

/** The parts, one after the other, with their bindings. @param between such as ` and ` */
export const joinSql = (parts: readonly Sql[], between: string): Sql => [
  parts.map(([sql]) => sql).join(between),
  parts.flatMap(([, bindings]) => bindings),
];

/** The part if its only binding is given. */
export const given = (sql: string, value: Sql[1][number] | null | undefined): Sql[] =>
  value === undefined || value === null ? [] : [[sql, [value]]];
