import type { Knex } from 'knex';

/**
 * Sessions become rows, so that people see where they are signed in and can end one. A token names its session; those
 * issued before name none and are no longer valid, so everybody signs in once more. Linked accounts keep the name that
 * their service calls the person by. Comparisons are kept by their two screenshots, as those of results are compared,
 * too, and not only versions.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sessions (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      session_version integer not null,
      user_agent text,
      created_at timestamptz not null,
      last_seen_at timestamptz,
      expires_at timestamptz not null
    );
    create index sessions_user_index on sessions (user_id);

    alter table accounts add column login text;

    create table screenshot_comparisons (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      from_file text not null,
      to_file text not null,
      threshold double precision not null,
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
    insert into screenshot_comparisons (test_suite_id, from_file, to_file, threshold, alignment, diff_file,
      aligned_from_file, aligned_to_file, diff_percentage, width, height, regions, created_at)
    select distinct on (one.test_suite_id, one.file_path, other.file_path, kept.threshold, kept.alignment)
      one.test_suite_id, one.file_path, other.file_path, kept.threshold, kept.alignment, kept.diff_file,
      kept.aligned_from_file, kept.aligned_to_file, kept.diff_percentage, kept.width, kept.height, kept.regions,
      kept.created_at
    from baseline_comparisons kept
    join baseline_versions one on one.id = kept.from_version_id
    join baseline_versions other on other.id = kept.to_version_id
    where kept.regions is not null;
    drop table baseline_comparisons;
  `);
}

/** Comparisons are made again when somebody looks. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table screenshot_comparisons;
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
      regions jsonb,
      alignment boolean not null,
      aligned_from_file text,
      aligned_to_file text,
      constraint baseline_comparisons_pair_key unique (from_version_id, to_version_id, threshold, alignment)
    );
    create index baseline_comparisons_to_index on baseline_comparisons (to_version_id);
    alter table accounts drop column login;
    drop table sessions;
  `);
}
