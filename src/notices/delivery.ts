import type { SelectedRow } from '../db/query.ts';
import type { Message } from './message.ts';

export const DELIVERY_STATES = ['WAITING', 'SENT', 'GIVEN_UP'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const DELIVERY_COLUMNS = [
  'id',
  'target_id',
  'message_id',
  'message',
  'state',
  'attempts',
  'due_at',
  'tried_at',
  'took_ms',
  'status',
  'answer',
  'error',
  'created_at',
] as const;

/** A message on its way to a target, with the answer of the last attempt, or why there was none. */
export type Delivery = SelectedRow<'target_deliveries', typeof DELIVERY_COLUMNS>;

/**
 * How many messages a target has not received yet. `retryAt`: when the one that failed is sent again; null: none
 * failed.
 */
export type Waiting = { waiting: number; retryAt: Date | null };

/** What an attempt found. `error`: why it does not count, null for an answer 2xx. */
export type Attempt = {
  tookMs: number;
  status: number | null;
  answer: string | null;
  error: string | null;
  /** How long the target asks to wait, in milliseconds. */
  retryAfter: number | null;
  /** The target is gone (410). */
  isGone: boolean;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The waits after failed attempts, three days in total. After the last one a delivery is given up. */
const WAITS = [5_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 18 * HOUR, DAY];

/** When to try again after so many attempts, in milliseconds. Null: no more. */
export function nextWait(attempts: number, retryAfter: number | null): number | null {
  const wait = WAITS[attempts - 1];
  return wait === undefined ? null : Math.max(wait, Math.min(retryAfter ?? 0, DAY));
}

/** How many deliveries of a target are kept beside those that wait, and how many wait at most. */
export const KEPT_DELIVERIES = 100;
export const MOST_WAITING = 1000;

declare module '../db/json.ts' {
  interface JsonColumns {
    'target_deliveries.message': Message;
  }
}
