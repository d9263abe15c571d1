import { IN_FLIGHT } from './run.ts';

/** `isInFlight`, asked of a column. */
export function inFlightSql(column: string): string {
  return `${column} in (${IN_FLIGHT.map((status) => `'${status}'`).join(', ')})`;
}
