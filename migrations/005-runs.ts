import type { Knex } from 'knex';

/** One pass over the tracked pages of a suite. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Uploaded sites.
    create table builds (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      -- STORING: not all of its files are there. EXPIRED: they made room for others; the row stays for the runs that captured it.
      status text not null default 'STORING' check (status in ('STORING', 'READY', 'EXPIRED')),
      -- Of all files.
      digest text not null,
      -- The folder of the files. Builds with the same digest share it.
      stored_as uuid not null default gen_random_uuid(),
      files integer not null,
      bytes bigint not null,
      head_sha text,
      created_by uuid references users on delete set null,
      created_at timestamptz not null default now()
    );
    -- A build with the same files.
    create index builds_digest_index on builds (test_suite_id, digest);
    -- The newest build of a commit.
    create index builds_head_index on builds (test_suite_id, head_sha) where head_sha is not null;
    -- Whether another build needs the files.
    create index builds_stored_index on builds (stored_as);
    -- Builds that are old enough to go.
    create index builds_created_at_index on builds (created_at);
    create index builds_created_by_index on builds (created_by);

    create table test_runs (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      -- The owner of the suite.
      owner_id uuid not null references users on delete cascade,
      -- In the suite, from 1 and without a gap.
      number integer not null,
      run_type text not null default 'MANUAL' check (run_type in ('MANUAL', 'PR', 'BRANCH')),
      -- What began it. Null: it was not recorded yet.
      trigger text check (trigger in ('USER', 'TOKEN', 'WORKFLOW', 'PUSH', 'MERGE', 'CRAWL', 'SCHEDULE')),
      started_by uuid references users on delete set null,
      -- The API token that began it.
      token_name text,
      target_base_url text not null,
      -- The uploaded site that answers in place of the suite's own.
      build_id uuid references builds on delete set null,
      -- A copy, so that a change of the suite's does not affect a run in flight.
      config jsonb not null,
      -- Everything is captured, also what could be proven unchanged.
      renders_all boolean not null default false,

      status text not null default 'PENDING'
        check (status in ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
      started_at timestamptz default now(),
      ended_at timestamptz,
      cancelled_by uuid references users on delete set null,
      -- Counters of a run that has ended, and why it did not complete.
      metadata jsonb,
      -- How many turns its captures have had. A run with more of them comes later.
      turn integer not null default 0,
      -- Something decided about its results while it was in flight, so it is judged once more when it has ended.
      judge_again boolean not null default false,
      -- Selectors of its settings that no page has.
      unmatched_selectors jsonb,
      total_results integer not null default 0,
      last_log_number integer not null default 0,

      review_state text not null default 'NOT_REQUIRED' check (review_state in ('NOT_REQUIRED', 'PENDING', 'APPROVED')),
      -- Of its last verdict; 0: there is none.
      verdict_number integer not null default 0,
      -- Requests for changes, of the run and of its results.
      open_requests integer not null default 0,
      -- How many results have each review_rank, from 0, and how many have an approval. Triggers of page_results count.
      section_counts integer[] not null default array_fill(0, array[7]),
      approved_results integer not null default 0,
      -- Stands for what the pull request loosens in how it is judged, which a person has to approve. Null: nothing.
      settings_hash text,
      settings_approved_by uuid references users on delete set null,
      settings_approved_at timestamptz,
      settings_carried_over boolean not null default false,
      settings_undone_at timestamptz,

      -- The commit, of the run of a pull request or after a merge.
      git_owner text,
      git_repo text,
      git_head_sha text,
      git_message text,
      git_branch text,
      git_pr_number integer,
      git_title text,
      git_base_branch text,
      -- The open pull request whose head branch is the base.
      git_base_number integer,
      -- The commits where the head left the history of others, as the code host told them. They never change.
      git_merge_bases jsonb,
      git_merged boolean not null default false,
      -- Whether it gates the merge: the pull request is based on one of the suite's base branches.
      git_gated boolean not null default true,
      -- The suite of a pull request is captured when GitHub asks again: each time is an attempt.
      git_attempt integer not null default 1,
      git_preview_url text,
      -- What the search for a preview came to, and until when it goes on.
      git_preview_search jsonb,
      preview_deadline timestamptz,
      -- Captures have begun: there is a preview.
      git_enqueued boolean,
      -- What the pull request changes in the suite's configuration.
      git_config_change jsonb,
      git_installation_id bigint,
      git_check_run_id bigint,
      check_name text,
      -- What GitHub was last told, so that a check that it does not show yet can be found.
      check_shown jsonb,
      check_shown_at timestamptz,
      check_problem text,

      -- The words of branch, title and message, as in site_pages.
      search_text text not null generated always as (
        ' ' || translate(
          lower(coalesce(git_branch, '') || ' ' || coalesce(git_title, '') || ' ' || coalesce(git_message, '')), E' \\t\\n\\r!"#$%&''()*+,-./:;<=>\\?@[\\\\]^_\`{|}~', repeat(' ', 36)
        )
      ) stored,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index test_runs_number_key on test_runs (test_suite_id, number);
    create unique index test_runs_pull_request_key
      on test_runs (test_suite_id, git_pr_number, git_head_sha, git_attempt) where run_type = 'PR';
    -- The runs of an owner, newest first: all, in flight, to be reviewed, failed, of a branch. What is counted is included.
    create index test_runs_owner_index on test_runs (owner_id, created_at desc, id desc)
      include (status, review_state, run_type, git_gated);
    create index test_runs_owner_in_flight_index on test_runs (owner_id, created_at desc, id desc)
      where status in ('PENDING', 'RUNNING');
    create index test_runs_owner_to_review_index on test_runs (owner_id, created_at desc, id desc)
      include (status, git_gated) where review_state = 'PENDING';
    create index test_runs_owner_failed_index on test_runs (owner_id, created_at desc, id desc) where status = 'FAILED';
    create index test_runs_owner_branch_index on test_runs (owner_id, git_branch, created_at desc, id desc)
      where git_branch is not null;
    -- The same of a suite.
    create index test_runs_suite_index on test_runs (test_suite_id, created_at desc, id desc)
      include (status, review_state, run_type, git_gated);
    create index test_runs_in_flight_index on test_runs (test_suite_id) where status in ('PENDING', 'RUNNING');
    create index test_runs_suite_failed_index on test_runs (test_suite_id, created_at desc, id desc) where status = 'FAILED';
    create index test_runs_suite_branch_index on test_runs (test_suite_id, git_branch, created_at desc, id desc)
      where git_branch is not null;
    -- The runs that a person began.
    create index test_runs_started_by_index on test_runs (started_by, created_at desc, id desc);
    -- The search, among the runs of an owner or of a suite.
    create index test_runs_search_index on test_runs using gin (
      owner_id, test_suite_id, number, git_pr_number, git_head_sha gin_trgm_ops, search_text gin_trgm_ops
    );
    -- The runs of a pull request's head, of a check, and of the pull requests based on another.
    create index test_runs_head_index on test_runs (git_head_sha) where run_type = 'PR';
    create index test_runs_check_index on test_runs (git_check_run_id) where git_check_run_id is not null;
    create index test_runs_base_number_index on test_runs (test_suite_id, git_base_number)
      where git_base_number is not null;
    -- The runs that captured a build.
    create index test_runs_build_index on test_runs (build_id);
    create index test_runs_cancelled_by_index on test_runs (cancelled_by);
    create index test_runs_settings_approved_by_index on test_runs (settings_approved_by);

    create table test_run_logs (
      id uuid primary key default gen_random_uuid(),
      test_run_id uuid not null references test_runs on delete cascade,
      -- Given under the run's row lock, so that whoever asks for lines after one misses none that commits late.
      number integer not null,
      type text not null check (type in ('INFO', 'WARNING', 'ERROR', 'SUCCESS', 'PROGRESS', 'DEBUG', 'SYSTEM')),
      message text not null,
      metadata jsonb,
      progress double precision,
      timestamp timestamptz not null default now(),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint test_run_logs_run_number_key unique (test_run_id, number)
    );
    -- The warnings of a run, which are few of its lines.
    create index test_run_logs_warnings_index on test_run_logs (test_run_id) where type = 'WARNING';

    -- Whom a run waits for.
    create table run_assignees (
      test_run_id uuid not null references test_runs on delete cascade,
      user_id uuid not null references users on delete cascade,
      -- A member's, so that revoking it ends the assignment. Null: the owner of the suite, who has none.
      grant_id uuid references test_suite_grants on delete cascade,
      assigned_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      primary key (test_run_id, user_id)
    );
    -- The runs that wait for a person.
    create index run_assignees_user_index on run_assignees (user_id, test_run_id);
    create index run_assignees_grant_index on run_assignees (grant_id);
    create index run_assignees_assigned_by_index on run_assignees (assigned_by);

    -- When the next run of a suite is due.
    create table run_schedules (
      test_suite_id uuid primary key references test_suites on delete cascade,
      -- The setting that the time was computed of. When the suite has another one, it is computed again.
      schedule text not null,
      due_at timestamptz not null
    );
    -- What is due.
    create index run_schedules_due_index on run_schedules (due_at);

    -- What a pull request changes in how its suite judges.
    create table settings_changes (
      test_run_id uuid primary key references test_runs on delete cascade,
      differences jsonb not null check (jsonb_typeof(differences) = 'array'),
      own jsonb not null check (jsonb_typeof(own) = 'object'),
      base_config jsonb not null check (jsonb_typeof(base_config) = 'object'),
      -- How many results have no screenshot that shows what the change hides.
      not_captured integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    -- Browsers that capture, and the hosts they were seen on.
    create table capture_engines (
      engine text not null,
      host text not null,
      last_seen_at timestamptz not null default now(),
      primary key (engine, host)
    );

    -- Captures of one page with settings that need not be saved, to see what rules do. Only the newest ones of a suite are kept.
    create table page_trials (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      path text not null,
      viewport text not null,
      config jsonb not null,
      -- Where the page is, when that is to be told. Null: a trial of settings, on the suite's own site.
      origin text,
      status text not null default 'PENDING' check (status in ('PENDING', 'DONE', 'ERROR')),
      file text,
      ignored_boxes jsonb,
      unmatched_selectors jsonb,
      warnings jsonb,
      -- What a request without a browser got.
      visit jsonb,
      error text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    -- The newest trials of a suite.
    create index page_trials_suite_index on page_trials (test_suite_id, created_at desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table page_trials, capture_engines, settings_changes, run_schedules, run_assignees, test_run_logs, test_runs, builds;
  `);
}
