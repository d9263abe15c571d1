import type { Knex } from 'knex';

/**
 * Approved references. Versions are append-only, and the database itself refuses to change what one says; only links to
 * records that may be deleted can turn null. One page result makes one version at most, however often it is promoted;
 * an automatic seed does not count, so that a person can still put their name to it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table baseline_versions (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      path text not null,
      url text not null,
      viewport text not null,
      version integer not null,
      file_path text not null,
      source text not null,
      approved_by uuid references users on delete set null,
      approved_at timestamptz not null default now(),
      test_run_id uuid references test_runs on delete set null,
      page_result_id uuid references page_results on delete set null,
      diff_score double precision,
      pr_number integer,
      note text,
      capture_engine text,
      compare_engine text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint baseline_versions_key unique (test_suite_id, path, viewport, version),
      constraint baseline_versions_version_check check (version >= 1),
      constraint baseline_versions_source_check check (source in ('INITIAL', 'MANUAL', 'BRANCH', 'PR_MERGE', 'API'))
    );
    create unique index baseline_versions_page_result_key on baseline_versions (page_result_id) where source <> 'INITIAL';
    create index baseline_versions_result_index on baseline_versions (page_result_id);
    create index baseline_versions_run_index on baseline_versions (test_run_id);
    create index baseline_versions_approved_by_index on baseline_versions (approved_by);

    create function refuse_baseline_version_change() returns trigger language plpgsql as $$
    begin
      raise exception 'baseline versions are immutable';
    end $$;
    create trigger baseline_versions_immutable
      before update of path, url, viewport, version, file_path, source, approved_at, diff_score, pr_number, note
      on baseline_versions for each row execute function refuse_baseline_version_change();

    alter table page_results add constraint page_results_baseline_version_id_fkey
      foreign key (baseline_version_id) references baseline_versions on delete set null;
    create index page_results_baseline_version_index on page_results (baseline_version_id);

    create table baselines (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      url text not null,
      path text not null,
      viewport text not null,
      file_path text not null,
      is_approved boolean not null default false,
      current_version integer not null,
      current_version_id uuid not null references baseline_versions on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint baselines_suite_path_viewport_key unique (test_suite_id, path, viewport),
      constraint baselines_suite_url_viewport_key unique (test_suite_id, url, viewport)
    );
    create index baselines_current_version_index on baselines (current_version_id);

    create table baseline_comparisons (
      id uuid primary key default gen_random_uuid(),
      from_version_id uuid not null references baseline_versions on delete cascade,
      to_version_id uuid not null references baseline_versions on delete cascade,
      threshold double precision not null,
      diff_file text not null,
      diff_percentage double precision not null,
      width integer not null,
      height integer not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint baseline_comparisons_pair_key unique (from_version_id, to_version_id, threshold)
    );
    create index baseline_comparisons_to_index on baseline_comparisons (to_version_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table baseline_comparisons, baselines;
    alter table page_results drop constraint page_results_baseline_version_id_fkey;
    drop index page_results_baseline_version_index;
    drop table baseline_versions;
    drop function refuse_baseline_version_change();
  `);
}
