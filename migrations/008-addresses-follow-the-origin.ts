import type { Knex } from 'knex';

/**
 * A page is its path; the address beside it is on the suite's own origin. When a suite moves to another origin, the
 * addresses of its pages and current baselines move with it, in the same statement; versions keep what was approved.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function move_addresses_to_origin() returns trigger language plpgsql as $$
    begin
      update site_pages set url = new.origin || path, updated_at = now() where test_suite_id = new.id;
      update baselines set url = new.origin || path, updated_at = now() where test_suite_id = new.id;
      return null;
    end $$;
    create trigger test_suites_origin_moved after update of origin on test_suites
      for each row when (old.origin is distinct from new.origin) execute function move_addresses_to_origin();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger test_suites_origin_moved on test_suites; drop function move_addresses_to_origin()');
}
