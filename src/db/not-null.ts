type NotNull<Row, Key extends keyof Row> = Row & { [K in Key]: NonNullable<Row[K]> };

/** True when none of those columns is null. */
export function hasAll<Row, Key extends keyof Row>(row: Row, ...keys: Key[]): row is NotNull<Row, Key> {
  return keys.every((key) => row[key] !== null);
}

/**
 * A row with columns that may be null in the table, but never in this kind of row.
 * @throws Error when one of them is
 */
export function notNull<Row, Key extends keyof Row>(row: Row, ...keys: Key[]): NotNull<Row, Key> {
  if (!hasAll(row, ...keys)) throw new Error(`A row has no ${keys.filter((key) => row[key] === null).join(', ')}`);
  return row;
}

/** The row without its columns that are null. The overload keeps the types, which `Object.fromEntries` loses. */
export function withoutNulls<Row extends object>(row: Row): { [K in keyof Row]?: NonNullable<Row[K]> };
export function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
