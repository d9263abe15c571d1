import type { Knex } from 'knex';

/** Until now, the sentence alone told what somebody switched off from what was given up. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table targets add column switched_off boolean not null default false;
    update targets set switched_off = true where stopped_because = 'It was switched off';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table targets drop column switched_off');
}
