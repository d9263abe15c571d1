import { IN_FLIGHT } from './run.ts';

/** The SQL form of `isInFlight`, for a status column. */
export function inFlightSql(column: string): string {
  return `${column} in (${IN_FLIGHT.map((status) => `'${status}'`).join(', ')})`;
}
