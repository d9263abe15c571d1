import type { Knex } from 'knex';

/**
 * What webhooks told of pull requests and of previews, whichever came first. `changed_at` is the code host's own time of
 * the newest event that was applied: an older one that arrives late changes nothing. Names are kept in lower case.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table pull_requests (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      repo text not null,
      number integer not null,
      head_sha text not null,
      head_branch text not null,
      base_branch text not null,
      state text not null default 'OPEN',
      draft boolean not null default false,
      merge_commit_sha text,
      merged_at timestamptz,
      installation_id bigint not null,
      changed_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint pull_requests_number_key unique (owner, repo, number),
      constraint pull_requests_state_check check (state in ('OPEN', 'CLOSED', 'MERGED'))
    );
    create index pull_requests_head_index on pull_requests (owner, repo, head_sha);

    create table preview_addresses (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      repo text not null,
      head_sha text not null,
      source text not null,
      name text not null,
      url text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint preview_addresses_key unique (owner, repo, head_sha, source, name),
      constraint preview_addresses_source_check check (source in ('DEPLOYMENT', 'STATUS'))
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table preview_addresses, pull_requests');
}
