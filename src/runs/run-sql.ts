import { DECIDABLE, IN_FLIGHT } from './run.ts';

const quoted = (statuses: readonly string[]) => statuses.map((status) => `'${status}'`).join(', ');

/** The SQL form of `isInFlight`, for a status column. */
export function inFlightSql(column: string): string {
  return `${column} in (${quoted(IN_FLIGHT)})`;
}

/** The SQL form of `isDecidable`. */
export function decidableSql(column: string): string {
  return `${column} in (${quoted(DECIDABLE)})`;
}
