import pg from 'pg';

export type Statement = { text: string; values: unknown[] };

/** What the clock asks every 30 s belongs to no request. */
const isOfClock = ({ text }: Statement) => text === 'select clock_timestamp() as now';

/** The statements that reach the database while `work` runs. Nothing else may use a database meanwhile. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  const statements: Statement[] = [];
  prototype.query = function query(this: pg.Client, ...given: unknown[]) {
    const [first, values] = given as [string | Partial<Statement>, unknown[] | undefined];
    statements.push(
      typeof first === 'string'
        ? { text: first, values: values ?? [] }
        : { text: first.text ?? '', values: first.values ?? values ?? [] },
    );
    return Reflect.apply(original, this, given);
  } as typeof original;
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return statements.filter((statement) => !isOfClock(statement));
}

/** How many they are. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  return (await recordStatements(work)).length;
}
