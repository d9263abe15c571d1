/** A query that has selected nothing yet. */
type Countable = { count(what: { total: '*' }): { first(): PromiseLike<{ total: number } | null> } };

/** How many rows a query finds. */
export async function countRows(query: Countable): Promise<number> {
  return (await query.count({ total: '*' }).first())?.total ?? 0;
}
