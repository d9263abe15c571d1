import type { Knex } from 'knex';

/**
 * Verdicts of reviewers. The verdicts of a run are numbered, and each result keeps the number of its last one, so that
 * a decision can say which state it was made on. An open request for changes holds the review gate, so runs and results
 * say whether there is one. A version that an undo restored names the version it shows, and whose promotion it undid. The
 * result may then be promoted once more, so no index keeps it to one version: promotions of a suite take turns instead.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs
      add column verdict_number integer not null default 0,
      add column open_requests integer not null default 0;
    alter table page_results
      add column verdict_number integer not null default 0,
      add column changes_requested boolean not null default false;
    alter table baseline_versions
      add column restored_version integer,
      add column undone_result_id uuid references page_results on delete set null;
    create index baseline_versions_undone_index on baseline_versions (undone_result_id);
    drop index baseline_versions_page_result_key;

    create table verdicts (
      test_run_id uuid not null references test_runs on delete cascade,
      number integer not null,
      decision text not null,
      whole_run boolean not null,
      results integer not null,
      author_id uuid references users on delete set null,
      note text,
      created_at timestamptz not null default clock_timestamp(),
      primary key (test_run_id, number),
      constraint verdicts_decision_check check (decision in ('approve', 'request_changes', 'undo'))
    );
    create index verdicts_author_index on verdicts (author_id);

    create table change_requests (
      id uuid primary key default gen_random_uuid(),
      test_run_id uuid not null references test_runs on delete cascade,
      page_result_id uuid references page_results on delete cascade,
      author_id uuid not null references users on delete cascade,
      note text not null,
      created_at timestamptz not null default clock_timestamp()
    );
    create unique index change_requests_run_key on change_requests (test_run_id, author_id)
      where page_result_id is null;
    create unique index change_requests_result_key on change_requests (page_result_id, author_id);
    create index change_requests_list_index on change_requests (test_run_id, created_at, id);
    create index change_requests_author_index on change_requests (author_id);

    create table comments (
      id uuid primary key default gen_random_uuid(),
      test_run_id uuid not null references test_runs on delete cascade,
      page_result_id uuid references page_results on delete cascade,
      author_id uuid references users on delete set null,
      body text not null,
      box jsonb,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp()
    );
    create index comments_list_index on comments (test_run_id, created_at, id);
    create index comments_result_index on comments (page_result_id);
    create index comments_author_index on comments (author_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table comments, change_requests, verdicts;
    create unique index baseline_versions_page_result_key on baseline_versions (page_result_id) where source <> 'INITIAL';
    alter table baseline_versions drop column undone_result_id, drop column restored_version;
    alter table page_results drop column changes_requested, drop column verdict_number;
    alter table test_runs drop column open_requests, drop column verdict_number;
  `);
}
