import { z } from 'zod';

/** One request and its response, without the name of the server. */
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
  /** SHA-256 of the body, without the parts that belong to an address or a visit. Null for a redirect and a prefetch. */
  body: z.string().nullable(),
});
export type Exchange = z.infer<typeof Exchange>;

/** What a page was made of when it was captured. */
export type Recorded = {
  /** In the order of their addresses. */
  exchanges: Exchange[];
  /** Its styles show addresses or other values, so these are compared unchanged. */
  literal: boolean;
  /** Why the same bytes might look different, in words. Empty: they can't. */
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

/** The response, for comparison. Headers are sorted by name. */
export const answerOf = ({ status, answered, body }: Pick<Exchange, 'status' | 'answered' | 'body'>): string =>
  JSON.stringify([status, answered, body]);

/** What all loads of a page were made of. If it is served differently each time, it can't be proven. */
export function combineRecorded(loads: readonly Recorded[]): Recorded | null {
  const last = loads.at(-1);
  if (last === undefined) return null;
  const all = loads.map(({ exchanges }) => JSON.stringify(exchanges));
  const differs = all.some((each) => each !== all[0]) ? ['what is served differs from load to load'] : [];
  const obstacles = [...new Set([...loads.flatMap((load) => load.obstacles), ...differs])];
  return { ...last, obstacles };
}
