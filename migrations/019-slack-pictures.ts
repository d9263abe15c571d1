import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Of Slack: the channel that pictures of changes are uploaded to. The token that may do so is sealed.
    alter table targets add column channel text check (channel is null or kind = 'SLACK');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table targets drop column channel');
}
