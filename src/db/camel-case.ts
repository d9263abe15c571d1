const camelCase = (key: string) => key.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function camelCaseRow(row: unknown): unknown {
  if (!isPlainObject(row)) return row;
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [camelCase(key), value]));
}

const isRawResult = (value: unknown): value is { rows: unknown[] } =>
  typeof value === 'object' && value !== null && 'rows' in value && Array.isArray(value.rows);

/**
 * The result of a query, with the keys of its rows in camelCase instead of snake_case. Keys inside a value (jsonb)
 * stay as they are. Counts and plucked scalars pass through. `pluck` of a jsonb column looks the same as rows, so use
 * a select for it.
 */
export function camelCaseRows(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(camelCaseRow);
  if (isPlainObject(result)) return camelCaseRow(result);
  if (isRawResult(result)) result.rows = result.rows.map(camelCaseRow);
  return result;
}
