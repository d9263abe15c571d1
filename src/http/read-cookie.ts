import type { Request } from 'express';

/** Null: the request has no such cookie, or an empty one. */
export function readCookie(req: Request, name: string): string | null {
  const pairs = (req.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const pair = pairs.find((text) => text.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1) ?? '';
  return value === '' ? null : value;
}
