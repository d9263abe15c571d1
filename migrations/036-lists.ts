import type { Knex } from 'knex';

/**
 * Lists read as many rows as they show, whatever the number of suites. `test_runs.owner_id` is the owner of the run's
 * suite, who never changes; a trigger sets it, since a host of the version before does not. What is counted stands in
 * the indexes, so that counting reads no rows.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs add column owner_id uuid references users on delete cascade;
    update test_runs set owner_id = test_suites.user_id from test_suites where test_suites.id = test_runs.test_suite_id;

    create function set_run_owner() returns trigger language plpgsql as $$
    begin
      new.owner_id := (select user_id from test_suites where id = new.test_suite_id);
      return new;
    end $$;
    create trigger test_runs_owner before insert on test_runs for each row execute function set_run_owner();

    create index test_runs_owner_index on test_runs (owner_id, created_at desc, id desc)
      include (status, review_state, run_type, git_gated);
    create index test_runs_owner_in_flight_index on test_runs (owner_id, created_at desc, id desc)
      where status in ('PENDING', 'RUNNING');
    create index test_runs_owner_to_review_index on test_runs (owner_id, created_at desc, id desc)
      include (status, git_gated) where review_state = 'PENDING';
    drop index test_runs_suite_created_index;
    create index test_runs_suite_index on test_runs (test_suite_id, created_at desc, id desc)
      include (status, review_state, run_type, git_gated);

    drop index test_suites_user_id_index;
    create index test_suites_owner_index on test_suites (user_id, kind, created_at, id);
    create index test_suites_owner_name_index on test_suites (user_id, kind, lower(name), id);

    drop index page_results_review_index;
    create index page_results_review_index on page_results (test_run_id, review_rank, review_weight, position)
      include (approved);

    create index site_pages_tally_index on site_pages (test_suite_id, status, tracked);
    create index baseline_versions_history_index
      on baseline_versions (test_suite_id, path, approved_at desc, version desc, viewport desc);
    create index ignored_changes_suite_index on ignored_changes (test_suite_id, created_at desc, id desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index ignored_changes_suite_index;
    drop index baseline_versions_history_index;
    drop index site_pages_tally_index;

    drop index page_results_review_index;
    create index page_results_review_index on page_results (test_run_id, review_rank, review_weight, position);

    drop index test_suites_owner_name_index;
    drop index test_suites_owner_index;
    create index test_suites_user_id_index on test_suites (user_id);

    drop index test_runs_suite_index;
    create index test_runs_suite_created_index on test_runs (test_suite_id, created_at desc);
    drop trigger test_runs_owner on test_runs;
    drop function set_run_owner();
    alter table test_runs drop column owner_id;
  `);
}
