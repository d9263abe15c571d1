import type { Knex } from 'knex';

/** Passkeys sign people in without a password. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table passkeys (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      -- As the authenticator names it, in base64url.
      credential_id text not null constraint passkeys_credential_id_key unique,
      -- COSE, in base64url.
      public_key text not null,
      -- How often the authenticator signed, 0 if it does not count. It must grow, so that a copy is noticed.
      signatures bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      -- When the last challenge that it answered was issued. No other one is accepted twice, nor an older one.
      challenged_at timestamptz
    );
    -- The passkeys of a person.
    create index passkeys_user_index on passkeys (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table passkeys');
}
