import type { Knex } from 'knex';

/** What was found at an address before somebody makes a suite of it. Only the newest looks of a person are kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table site_looks (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      address text not null,
      -- The rest of the form, for a browser without scripts.
      typed jsonb not null,
      status text not null default 'PENDING',
      facts jsonb,
      -- A small picture as a data URI.
      picture text,
      problem text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint site_looks_status_check check (status in ('PENDING', 'DONE'))
    );
    create index site_looks_user_index on site_looks (user_id, created_at desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table site_looks');
}
