import { z } from 'zod';
import { ownPath } from '../../http/own-path.ts';

/** Where to go after signing in. Anything but a path of ours is ignored. */
export const NextQuery = z.object({ next: z.string().max(1000).optional().catch(undefined) });

/** Passed from one account page to the next. The start page is the default, and is left out. */
export function readNext({ next }: z.output<typeof NextQuery>): { next: string | null } {
  const path = ownPath(next);
  return { next: path === '/' ? null : path };
}
