import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';

/** What a webhook handler may use. It records and enqueues, and calls no other service (contract 7.16). */
export type HandlerContext = Pick<Context, 'config' | 'clock' | 'log'>;

/** Handles one event, in the transaction that records its delivery. */
export type Handler<P> = (trx: Db, ctx: HandlerContext, payload: P) => Promise<void>;
