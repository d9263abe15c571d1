import type { Knex } from 'knex';

/** Deliveries of the code host that were taken: the same one twice changes nothing, and the doctor sees what arrives. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_deliveries (
      id text primary key,
      event text not null,
      action text,
      installation_id bigint,
      repository text,
      received_at timestamptz not null default now()
    );
    create index webhook_deliveries_received_index on webhook_deliveries (received_at);
    create index webhook_deliveries_event_index on webhook_deliveries (event, received_at desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table webhook_deliveries');
}
