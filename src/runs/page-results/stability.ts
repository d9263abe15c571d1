import { z } from 'zod';

/** How many of the newest results of a page and viewport were unstable. */
export const StabilityShare = z.object({
  pageId: z.string(),
  path: z.string(),
  viewport: z.string(),
  unstable: z.number(),
  results: z.number(),
});
export type StabilityShare = z.output<typeof StabilityShare>;
