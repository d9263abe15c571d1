/**
 * What each jsonb column holds, by `table.column`. The room that writes the column declares it, because this room knows
 * no domain.
 */
export interface JsonColumns {}

/** A value on its way into a jsonb column. */
export type Json<Value> = { toJSON: () => Value };

/** A value for a jsonb column. Without this the driver would write a list as a PostgreSQL array. */
export const json = <Value>(value: Value): Json<Value> => ({ toJSON: () => value });
