import type { Knex } from 'knex';

/** What the code host told of repositories, pull requests and previews. Names are in lower case. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table repositories (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      repo text not null,
      default_branch text not null,
      -- The code host's time of the message that named the branch.
      told_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint repositories_name_key unique (owner, repo)
    );

    create table pull_requests (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      repo text not null,
      number integer not null,
      title text,
      head_sha text not null,
      head_branch text not null,
      base_branch text not null,
      -- Null: nobody knows.
      from_fork boolean,
      state text not null default 'OPEN' check (state in ('OPEN', 'CLOSED', 'MERGED')),
      draft boolean not null default false,
      merge_commit_sha text,
      merged_at timestamptz,
      installation_id bigint not null,
      -- The code host's time of the newest event that was applied. An older one that comes late changes nothing.
      changed_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint pull_requests_number_key unique (owner, repo, number)
    );
    -- The pull request of a commit, and those of a stack.
    create index pull_requests_head_index on pull_requests (owner, repo, head_sha);
    create index pull_requests_head_branch_index on pull_requests (owner, repo, head_branch);
    create index pull_requests_base_branch_index on pull_requests (owner, repo, base_branch);

    -- What was heard of the previews of commits: everything of one environment, context or check is one signal.
    create table preview_signals (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      repo text not null,
      head_sha text not null,
      source text not null check (source in ('DEPLOYMENT', 'STATUS', 'CHECK', 'DISPATCH')),
      name text not null,
      project text not null default '',
      -- The service that makes previews. Null: it is not known.
      host text,
      state text not null default 'READY' check (state in ('PENDING', 'READY', 'FAILED', 'SKIPPED')),
      -- Where the preview is. It stays when a later deployment of the commit does not come.
      url text,
      -- Which deployment is there. Null: none was ready yet.
      ready_key text,
      -- Where people read about it.
      link text,
      -- The branch.
      ref text,
      on_default_branch boolean not null default false,
      -- GitHub's number of the deployment, status or check, and of the report about it, which tell late events from new ones.
      serial bigint not null default 0,
      step bigint not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint preview_signals_key unique (owner, repo, head_sha, source, name, project)
    );
    -- The newest signals of a repository.
    create index preview_signals_repository_index on preview_signals (owner, repo, updated_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table preview_signals, pull_requests, repositories');
}
