import type { Knex } from 'knex';

/** The files of an EXPIRED build made room for others. The row stays for the runs that captured it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table builds drop constraint builds_status_check,
      add constraint builds_status_check check (status in ('STORING', 'READY', 'EXPIRED'))
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update test_runs set build_id = null where build_id in (select id from builds where status = 'EXPIRED');
    delete from builds where status = 'EXPIRED';
    alter table builds drop constraint builds_status_check,
      add constraint builds_status_check check (status in ('STORING', 'READY'))
  `);
}
