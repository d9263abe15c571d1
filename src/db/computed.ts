import type { Bindings, Computed, ComputedType, ComputedValue, Statements } from './query.ts';

/** A column that the statement computes. The cast makes the database check the type, but not that it is never null. */
export function computed<Name extends string, Type extends ComputedType>(
  db: Statements,
  name: Name,
  type: Type,
  sql: string,
  bindings: Bindings = [],
): Computed<Name, ComputedValue<Type>> {
  const value = db.raw(`cast(${sql} as ${type.replace(' or null', '')}) as ${name}`, bindings);
  return Object.assign(value, { computed: { name } });
}
