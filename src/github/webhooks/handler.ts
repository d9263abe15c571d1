import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';

/**
 * What a webhook handler may use. It records and enqueues, and calls no other service (docs/rules.md, The code host).
 */
export type HandlerContext = Pick<Context, 'config' | 'clock' | 'log'>;

/** Handles what was stored, in the transaction that marks it as handled. */
export type Handler<P> = (trx: Db, ctx: HandlerContext, payload: P) => Promise<void>;
