import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';

/** What a webhook handler may ask for: it records and enqueues, and calls nobody (contract 7.16). */
export type HandlerContext = Pick<Context, 'config' | 'clock' | 'log'>;

/** What one event does, in the transaction that takes its delivery. */
export type Handler<P> = (trx: Db, ctx: HandlerContext, payload: P) => Promise<void>;
