import pg from 'pg';

/** Counts the statements that reach the database while `work` runs. Nothing else may use a database meanwhile. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  let statements = 0;
  prototype.query = function query(this: pg.Client, ...given: unknown[]) {
    statements += 1;
    return Reflect.apply(original, this, given);
  } as typeof original;
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return statements;
}
