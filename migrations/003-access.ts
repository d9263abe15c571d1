import type { Knex } from 'knex';

/** Who may do what in a suite. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The owner of a suite has no grant.
    create table test_suite_grants (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      principal_type text not null default 'USER' check (principal_type in ('USER', 'TEAM')),
      principal_id uuid not null,
      role text not null default 'VIEWER' check (role in ('VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN')),
      granted_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint test_suite_grants_principal_key unique (test_suite_id, principal_type, principal_id)
    );
    -- What is shared with a person.
    create index test_suite_grants_principal_index on test_suite_grants (principal_type, principal_id);
    create index test_suite_grants_granted_by_index on test_suite_grants (granted_by);

    -- Tokens for programs. One of a person is all that they may do, and ends with their sessions. One of a suite acts for the
    -- person who made it, on that suite, within its scopes.
    create table api_tokens (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      test_suite_id uuid references test_suites on delete cascade,
      name text not null,
      scopes text[] check (scopes <@ array['upload', 'run', 'read']),
      session_version integer,
      token_hash text not null constraint api_tokens_token_hash_key unique,
      expires_at timestamptz not null,
      -- To the minute.
      last_used_at timestamptz,
      created_at timestamptz not null default now(),
      constraint api_tokens_kind_check check (
        (test_suite_id is null and scopes is null and session_version is not null)
        or (test_suite_id is not null and scopes is not null and session_version is null)
      )
    );
    -- The tokens of a person, and of a suite.
    create index api_tokens_user_index on api_tokens (user_id);
    create index api_tokens_suite_index on api_tokens (test_suite_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table api_tokens, test_suite_grants');
}
