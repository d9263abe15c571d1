import type { Knex } from 'knex';

/** A pool or a transaction: whoever passes it owns the transaction. */
export type Db = Knex;
