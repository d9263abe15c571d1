import type { Knex } from 'knex';

/** Who people are, and what signs them in. Of every token only a hash is kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id uuid primary key default gen_random_uuid(),
      email text not null,
      name text,
      -- The address of a picture.
      image text,
      email_verified timestamptz,
      -- Null: signs in by another service, or by links.
      password_hash text,
      -- Counts up to sign all sessions out. Sessions, sign-in links and tokens of a person carry the version of their making.
      session_version integer not null default 1,
      -- How the person likes to see the pages: only what was chosen, the rest has a default.
      preferences jsonb not null default '{}' check (jsonb_typeof(preferences) = 'object'),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index users_email_key on users (lower(email));

    -- Accounts of other services that sign a person in. Tokens are sealed.
    create table accounts (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      type text not null,
      provider text not null,
      provider_account_id text not null,
      -- What the service calls the person.
      login text,
      refresh_token text,
      access_token text,
      token_type text,
      scope text,
      -- Of the access token, in seconds of Unix time.
      expires_at bigint,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint accounts_provider_account_key unique (provider, provider_account_id)
    );
    -- The links of a person.
    create index accounts_user_id_index on accounts (user_id);

    create table sessions (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      session_version integer not null,
      user_agent text,
      created_at timestamptz not null,
      last_seen_at timestamptz,
      expires_at timestamptz not null
    );
    -- Where a person is signed in.
    create index sessions_user_index on sessions (user_id);

    create table password_reset_tokens (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      token_hash text not null constraint password_reset_tokens_token_hash_key unique,
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    );
    -- A new token replaces those before it.
    create index password_reset_tokens_user_id_index on password_reset_tokens (user_id);

    -- Links that sign a browser in once.
    create table sign_in_links (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      session_version integer not null,
      token_hash text not null constraint sign_in_links_token_hash_key unique,
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    );
    -- A new link replaces those before it.
    create index sign_in_links_user_id_index on sign_in_links (user_id);

    -- Attempts per address and per account: one limit over all web hosts. After a crash of the server it is empty.
    create unlogged table rate_limits (
      key text primary key,
      hits integer not null,
      resets_at timestamptz not null,
      -- No attempt is accepted before. Null: the next may come at once.
      not_before timestamptz
    );
    -- Removes what has expired.
    create index rate_limits_resets_at_index on rate_limits (resets_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rate_limits, sign_in_links, password_reset_tokens, sessions, accounts, users');
}
