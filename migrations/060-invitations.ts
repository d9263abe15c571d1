import type { Knex } from 'knex';

/**
 * Invitations to a suite, of which only hashes of tokens are kept. Whoever made one is told its link; the person whose address
 * it names gets another by mail, one more with each attempt to send it, and that one proves the address.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table suite_invitations (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      role text not null constraint suite_invitations_role_check check (role in ('VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN')),
      email text,
      invited_by uuid not null references users on delete cascade,
      token_hash text not null constraint suite_invitations_token_hash_key unique,
      mailed_token_hashes text[] not null default '{}',
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      constraint suite_invitations_mailed_check check (email is not null or mailed_token_hashes = '{}')
    );
    create index suite_invitations_suite_index on suite_invitations (test_suite_id);
    create index suite_invitations_invited_by_index on suite_invitations (invited_by);
    create index suite_invitations_mailed_index on suite_invitations using gin (mailed_token_hashes);
    create unique index suite_invitations_email_key on suite_invitations (test_suite_id, lower(email)) where email is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table suite_invitations');
}
