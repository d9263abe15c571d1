import type { Knex } from 'knex';

/** What reviewers say. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Numbered in their run. Results and runs keep the number of their last one, so that a decision can say which state it was made on.
    create table verdicts (
      test_run_id uuid not null references test_runs on delete cascade,
      number integer not null,
      decision text not null check (decision in ('approve', 'request_changes', 'undo')),
      whole_run boolean not null,
      -- How many it was about.
      results integer not null,
      -- It was about what the pull request changes in how it is judged.
      settings boolean not null default false,
      author_id uuid references users on delete set null,
      note text,
      created_at timestamptz not null default clock_timestamp(),
      primary key (test_run_id, number)
    );
    create index verdicts_author_index on verdicts (author_id);

    -- Open requests, which hold the gate. One that was taken back is gone.
    create table change_requests (
      id uuid primary key default gen_random_uuid(),
      test_run_id uuid not null references test_runs on delete cascade,
      -- Null: of the whole run.
      page_result_id uuid references page_results on delete cascade,
      author_id uuid not null references users on delete cascade,
      note text not null,
      created_at timestamptz not null default clock_timestamp()
    );
    create unique index change_requests_run_key on change_requests (test_run_id, author_id)
      where page_result_id is null;
    create unique index change_requests_result_key on change_requests (page_result_id, author_id);
    -- The requests of a run, oldest first.
    create index change_requests_list_index on change_requests (test_run_id, created_at, id);
    create index change_requests_author_index on change_requests (author_id);

    create table comments (
      id uuid primary key default gen_random_uuid(),
      test_run_id uuid not null references test_runs on delete cascade,
      -- Null: on the whole run.
      page_result_id uuid references page_results on delete cascade,
      author_id uuid references users on delete set null,
      body text not null,
      -- The place on the screenshot.
      box jsonb,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp()
    );
    -- The comments of a run, oldest first.
    create index comments_list_index on comments (test_run_id, created_at, id);
    create index comments_result_index on comments (page_result_id);
    create index comments_author_index on comments (author_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table comments, change_requests, verdicts');
}
