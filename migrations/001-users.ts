import type { Knex } from 'knex';

/** Accounts of people: sign-in links and one-time password reset tokens, of which only the hash is kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id uuid primary key default gen_random_uuid(),
      email text not null,
      name text,
      image text,
      email_verified timestamptz,
      password_hash text,
      session_version integer not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index users_email_key on users (lower(email));

    create table accounts (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      type text not null,
      provider text not null,
      provider_account_id text not null,
      refresh_token text,
      access_token text,
      token_type text,
      scope text,
      id_token text,
      session_state text,
      expires_at bigint,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint accounts_provider_account_key unique (provider, provider_account_id)
    );
    create index accounts_user_id_index on accounts (user_id);

    create table password_reset_tokens (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      token_hash text not null constraint password_reset_tokens_token_hash_key unique,
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    );
    create index password_reset_tokens_user_id_index on password_reset_tokens (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table password_reset_tokens, accounts, users');
}
