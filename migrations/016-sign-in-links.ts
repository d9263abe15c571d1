import type { Knex } from 'knex';

/**
 * Links that sign a browser in once, of which only the hash is kept. They carry the session version of the moment they
 * were made: what signs the account's sessions out makes its open links void, too.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sign_in_links (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      session_version integer not null,
      token_hash text not null constraint sign_in_links_token_hash_key unique,
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    );
    create index sign_in_links_user_id_index on sign_in_links (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table sign_in_links');
}
