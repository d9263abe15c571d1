import type { Knex } from 'knex';

/**
 * Tokens for programs, of which only the hash is kept. One of a person is all that they may do, and ends with their
 * sessions. One of a suite acts for the person who made it, on that suite, within its scopes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table api_tokens (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      test_suite_id uuid references test_suites on delete cascade,
      name text not null,
      scopes text[],
      session_version integer,
      token_hash text not null constraint api_tokens_token_hash_key unique,
      expires_at timestamptz not null,
      last_used_at timestamptz,
      created_at timestamptz not null default now(),
      constraint api_tokens_kind_check check (
        (test_suite_id is null and scopes is null and session_version is not null)
        or (test_suite_id is not null and scopes is not null and session_version is null)
      ),
      constraint api_tokens_scopes_check check (scopes <@ array['upload', 'run', 'read'])
    );
    create index api_tokens_user_index on api_tokens (user_id);
    create index api_tokens_suite_index on api_tokens (test_suite_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table api_tokens');
}
