import type { Knex } from 'knex';

/**
 * What a result says beside its status: why it differs, how steady the page was, what of it only moved; and what was
 * decided about its changes. Differences found before are changes; versions made before were not taken at rest.
 * FAIL results that do not hold the gate get a section of their own, and faint ones come last among the changed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table baseline_versions
      add column at_rest boolean not null default false,
      add column elements_file text;

    -- Made when asked for, and again now that images are lined up.
    delete from baseline_comparisons;
    alter table baseline_comparisons
      add column alignment boolean not null,
      add column aligned_from_file text,
      add column aligned_to_file text,
      drop constraint baseline_comparisons_pair_key,
      add constraint baseline_comparisons_pair_key unique (from_version_id, to_version_id, threshold, alignment);

    drop index page_results_review_index;
    alter table page_results
      drop column review_rank,
      drop column review_weight,
      add column cause text,
      add column stability text,
      add column screenshots integer,
      add column faint boolean not null default false,
      add column cut boolean not null default false,
      add column at_rest boolean not null default false,
      add column control_file text,
      add column elements_file text,
      add column aligned_baseline_file text,
      add column aligned_current_file text,
      add column moves jsonb,
      add column change_ids jsonb,
      add column ignored_boxes jsonb,
      add column unmatched_selectors jsonb,
      add constraint page_results_cause_check
        check (cause in ('CHANGE', 'DRIFT', 'BEHIND', 'FROM_PULL_REQUEST', 'ENGINE', 'IGNORED')),
      add constraint page_results_stability_check check (stability in ('AT_ONCE', 'SETTLED', 'UNSTABLE'));
    update page_results set cause = 'CHANGE' where status = 'FAIL';
    alter table page_results
      add column review_rank smallint not null generated always as (
        case status
          when 'FAIL' then case when coalesce(cause, 'CHANGE') = 'CHANGE' then 0 else 4 end
          when 'PASS' then case when is_new then 1 else 5 end
          when 'ERROR' then 2
          when 'PENDING' then 3
          else 6
        end
      ) stored,
      add column review_weight double precision not null generated always as (
        case status when 'FAIL' then case when faint then 1000 else 0 end - coalesce(diff_score, 0) else 0 end
      ) stored;
    create index page_results_review_index on page_results (test_run_id, review_rank, review_weight, position);

    create table result_changes (
      id uuid primary key default gen_random_uuid(),
      page_result_id uuid not null references page_results on delete cascade,
      test_run_id uuid not null references test_runs on delete cascade,
      position integer not null,
      change_key text not null,
      kind text not null,
      element text not null,
      summary text not null,
      before text,
      after text,
      baseline_box jsonb,
      current_box jsonb,
      canvas_box jsonb not null,
      faint boolean not null,
      approved_by uuid references users on delete set null,
      approved_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint result_changes_key unique (page_result_id, position),
      constraint result_changes_kind_check check (kind in (
        'ADDED', 'REMOVED', 'MOVED', 'RESIZED', 'RESTYLED', 'TEXT', 'IMAGE', 'PIXELS'
      ))
    );
    create index result_changes_run_index on result_changes (test_run_id, change_key);
    create index result_changes_approved_by_index on result_changes (approved_by);

    create table ignored_changes (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      path text not null,
      viewport text not null,
      baseline_file text not null,
      current_file text not null,
      fingerprint text not null,
      note text,
      author_id uuid references users on delete set null,
      expires_at timestamptz,
      uses integer not null default 0,
      last_used_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint ignored_changes_key unique (test_suite_id, path, viewport, fingerprint)
    );
    create index ignored_changes_author_index on ignored_changes (author_id);

    alter table test_runs add column unmatched_selectors jsonb;

    create table capture_engines (
      engine text not null,
      host text not null,
      last_seen_at timestamptz not null default now(),
      primary key (engine, host)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs drop column unmatched_selectors;
    drop table capture_engines, ignored_changes, result_changes;
    drop index page_results_review_index;
    alter table page_results
      drop column review_rank,
      drop column review_weight,
      drop column cause,
      drop column stability,
      drop column screenshots,
      drop column faint,
      drop column cut,
      drop column at_rest,
      drop column control_file,
      drop column elements_file,
      drop column aligned_baseline_file,
      drop column aligned_current_file,
      drop column moves,
      drop column change_ids,
      drop column ignored_boxes,
      drop column unmatched_selectors,
      add column review_rank smallint not null generated always as (
        case status
          when 'FAIL' then 0
          when 'PASS' then case when is_new then 1 else 4 end
          when 'ERROR' then 2
          when 'PENDING' then 3
          else 5
        end
      ) stored,
      add column review_weight double precision not null generated always as (
        case status when 'FAIL' then - coalesce(diff_score, 0) else 0 end
      ) stored;
    create index page_results_review_index on page_results (test_run_id, review_rank, review_weight, position);
    delete from baseline_comparisons;
    alter table baseline_comparisons
      drop constraint baseline_comparisons_pair_key,
      drop column alignment,
      drop column aligned_from_file,
      drop column aligned_to_file,
      add constraint baseline_comparisons_pair_key unique (from_version_id, to_version_id, threshold);
    alter table baseline_versions drop column at_rest, drop column elements_file;
  `);
}
