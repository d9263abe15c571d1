import { z } from 'zod';
import { ownPath } from '../../http/own-path.ts';

/** Where to go once signed in; whatever else a link carries counts as nothing. */
export const NextQuery = z.object({ next: z.string().max(1000).optional().catch(undefined) });

/** To be handed from one of the account's pages to the next; the start page needs no mention. */
export function nextOf({ next }: z.output<typeof NextQuery>): { next: string | null } {
  const path = ownPath(next);
  return { next: path === '/' ? null : path };
}
