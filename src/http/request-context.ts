import type { Request } from 'express';
import type { Context } from '../context.ts';

/** The context for one request, which knows where it comes from. */
export function requestContext(ctx: Context, { ip }: Request): Context {
  return ip === undefined ? ctx : { ...ctx, address: ip };
}
