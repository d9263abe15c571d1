import type { Knex } from 'knex';

/** Approved references. Files are names of objects. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Every version that a page at a viewport ever had. Rows are added, and what one says never changes: only links to what may be
    -- deleted turn null. A result makes more than one when a promotion was undone.
    create table baseline_versions (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      path text not null,
      -- As it was then: a suite may move to another origin.
      url text not null,
      viewport text not null,
      version integer not null check (version >= 1),
      file_path text not null,
      -- INITIAL: the first capture, which nobody approved. API: a person, and no run.
      source text not null check (source in ('INITIAL', 'MANUAL', 'BRANCH', 'PR_MERGE', 'API')),
      approved_by uuid references users on delete set null,
      approved_at timestamptz not null default now(),
      test_run_id uuid references test_runs on delete set null,
      page_result_id uuid references page_results on delete set null,
      -- Percentage of pixels that differ from the version before.
      diff_score double precision,
      pr_number integer,
      -- Tells later whether a branch has the change.
      merge_commit_sha text,
      note text,
      -- An undo restored this version, and took back what this result had promoted.
      restored_version integer,
      undone_result_id uuid references page_results on delete set null,
      -- As in page_results.
      at_rest boolean not null default false,
      capture_way jsonb,
      elements_file text,
      manifest_file text,
      capture_engine text,
      compare_engine text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint baseline_versions_key unique (test_suite_id, path, viewport, version)
    );
    -- The history of a page.
    create index baseline_versions_history_index
      on baseline_versions (test_suite_id, path, approved_at desc, version desc, viewport desc);
    -- What a result made, and what undid that.
    create index baseline_versions_result_index on baseline_versions (page_result_id);
    create index baseline_versions_undone_index on baseline_versions (undone_result_id);
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

    -- Which version is right now.
    create table baselines (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      path text not null,
      viewport text not null,
      file_path text not null,
      is_approved boolean not null default false,
      current_version integer not null,
      current_version_id uuid not null references baseline_versions on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint baselines_suite_path_viewport_key unique (test_suite_id, path, viewport)
    );
    create index baselines_current_version_index on baselines (current_version_id);

    -- What comparing two screenshots came to, when somebody looked.
    create table screenshot_comparisons (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      from_file text not null,
      to_file text not null,
      threshold double precision not null,
      -- Whether what only moved was lined up.
      alignment boolean not null,
      diff_file text not null,
      aligned_from_file text,
      aligned_to_file text,
      diff_percentage double precision not null,
      width integer not null,
      height integer not null,
      regions jsonb not null,
      created_at timestamptz not null default now(),
      constraint screenshot_comparisons_pair_key unique (test_suite_id, from_file, to_file, threshold, alignment)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table screenshot_comparisons, baselines;
    alter table page_results drop constraint page_results_baseline_version_id_fkey;
    drop index page_results_baseline_version_index;
    drop table baseline_versions;
    drop function refuse_baseline_version_change();
  `);
}
