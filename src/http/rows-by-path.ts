/** A table's rows by their address, as Express wants them: all methods of one address together. */
export function rowsByPath<R extends { path: string }>(rows: readonly R[]): Map<string, R[]> {
  const byPath = new Map<string, R[]>();
  for (const row of rows) byPath.set(row.path, [...(byPath.get(row.path) ?? []), row]);
  return byPath;
}
