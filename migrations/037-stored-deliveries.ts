import type { Knex } from 'knex';

/**
 * Deliveries are answered once they are stored, and handled by jobs. `subject` names what an event is about, such as a
 * pull request; events of a subject are handled in the order of `sequence`, by one job. Null: nothing is to be done.
 * `payload` holds the fields that the handler reads, as JSON, until then. It is text because jsonb refuses some strings
 * that JSON allows. `polled`: GitHub did not deliver it, but told it when it was asked.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_deliveries
      add column sequence bigint generated always as identity,
      add column subject text,
      add column payload text,
      add column polled boolean not null default false,
      add column failures integer not null default 0,
      add column handled_at timestamptz;
    create index webhook_deliveries_waiting_index on webhook_deliveries (subject, sequence)
      where handled_at is null and subject is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from webhook_deliveries where polled;
    alter table webhook_deliveries
      drop column sequence, drop column subject, drop column payload, drop column polled, drop column failures,
      drop column handled_at;
  `);
}
