import type { Knex } from 'knex';

/** How a person likes to see the pages, such as the color of differences. Only what was chosen; the rest has a default. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      add column preferences jsonb not null default '{}',
      add constraint users_preferences_check check (jsonb_typeof(preferences) = 'object')
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table users drop column preferences');
}
