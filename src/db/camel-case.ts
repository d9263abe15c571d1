/** Columns are few and rows many. */
const known = new Map<string, string>();

function camelCase(key: string): string {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  known.set(key, made);
  return made;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function camelCaseRow(row: unknown): unknown {
  if (!isPlainObject(row)) return row;
  const made: Record<string, unknown> = {};
  for (const key in row) made[camelCase(key)] = row[key];
  return made;
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
