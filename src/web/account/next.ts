import { z } from 'zod';
import { ownPath } from '../../http/own-path.ts';

/** Where to go after signing in. Anything but a path of this service is ignored. */
export const NextQuery = z.object({ next: z.string().max(1000).optional().catch(undefined) });

/** This value is passed from one account page to the next. It is omitted for the start page, which is the default. */
export function readNext({ next }: z.output<typeof NextQuery>): { next: string | null } {
  const path = ownPath(next);
  return { next: path === '/' ? null : path };
}
