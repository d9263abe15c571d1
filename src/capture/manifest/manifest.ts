import { z } from 'zod';

/** One request and its answer, without the name of the server. */
export const Exchange = z.object({
  /** See `withoutPlace`. */
  url: z.string(),
  /** What the browser used it for: `document`, `stylesheet`, `image`, `font` … */
  kind: z.string(),
  /** Headers that were sent, and may decide what is served. */
  asked: z.record(z.string(), z.string()),
  status: z.number(),
  /** Headers of the answer that may change a picture. */
  answered: z.record(z.string(), z.string()),
  /** SHA-256 of the body, of which what belongs to a place or a visit is left out. Null for a redirect. */
  body: z.string().nullable(),
});
export type Exchange = z.infer<typeof Exchange>;

/** What a page was made of when it was captured. */
export type Recorded = {
  /** In the order of their addresses. */
  exchanges: Exchange[];
  /** Its styles show addresses, so that those are compared as they are. */
  literal: boolean;
  /** Why the same bytes might look different, in words. None: they can't. */
  obstacles: string[];
};

const keyOf = ({ url, asked }: Exchange) => JSON.stringify([url, asked]);

/** The exchanges of one load, each once and in one order. */
export function sortExchanges(exchanges: readonly Exchange[]): { exchanges: Exchange[]; twice: boolean } {
  const byKey = new Map<string, Exchange>();
  let twice = false;
  for (const exchange of exchanges) {
    const known = byKey.get(keyOf(exchange));
    if (known !== undefined && answerOf(known) !== answerOf(exchange)) twice = true;
    byKey.set(keyOf(exchange), exchange);
  }
  return { exchanges: [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each), twice };
}

/** What was answered, to compare. Headers are kept in the order of their names. */
export const answerOf = ({ status, answered, body }: Pick<Exchange, 'status' | 'answered' | 'body'>): string =>
  JSON.stringify([status, answered, body]);

/** What all loads of a page were made of. A page that is served differently each time is proven by none of them. */
export function combineRecorded(loads: readonly Recorded[]): Recorded | null {
  const last = loads.at(-1);
  if (last === undefined) return null;
  const all = loads.map(({ exchanges }) => JSON.stringify(exchanges));
  const differs = all.some((each) => each !== all[0]) ? ['what is served differs from load to load'] : [];
  const obstacles = [...new Set([...loads.flatMap((load) => load.obstacles), ...differs])];
  return { ...last, obstacles };
}
