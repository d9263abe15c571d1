import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { requireJwtSecret } from '../auth/jwt-secret.ts';
import type { Config } from '../config.ts';
import { invalid } from '../errors.ts';

/** What a cursor belongs to: the operation and its parameters. It is not valid for any other list. */
type CursorOf = { operationId: string; asked: unknown };

const SIGNATURE_BYTES = 12;

function sign(config: Pick<Config, 'jwtSecret'>, { operationId, asked }: CursorOf, place: Buffer): Buffer {
  return createHmac('sha256', requireJwtSecret(config))
    .update(`pixelgate:cursor ${operationId} ${JSON.stringify(asked)} `)
    .update(place)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}

/** @param place the position after which the next part begins, as JSON. */
export function writeCursor(config: Pick<Config, 'jwtSecret'>, of: CursorOf, place: unknown): string {
  const text = Buffer.from(JSON.stringify(place));
  return Buffer.concat([sign(config, of, text), text]).toString('base64url');
}

/** @throws AppError invalid for a cursor that did not come from a `Link` header of this list. */
export function readCursor<Place>(
  config: Pick<Config, 'jwtSecret'>,
  of: CursorOf,
  shape: z.ZodType<Place>,
  cursor: string,
): Place {
  const bytes = Buffer.from(cursor, 'base64url');
  const [signature, text] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)];
  const isOurs = signature.length === SIGNATURE_BYTES && timingSafeEqual(signature, sign(config, of, text));
  if (isOurs) return shape.parse(JSON.parse(text.toString()));
  throw invalid('The cursor does not belong to this list', [
    { path: 'cursor', message: 'must come from the `Link` header of the previous part, with the same parameters' },
  ]);
}
