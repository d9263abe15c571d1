import type { Knex } from 'knex';

/** What people hear by email, and what waits to be told to them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table suite_follows
      -- What the person hears of this suite. Null: what they chose for all suites.
      add column hears text check (hears in ('ALL', 'REVIEWS', 'THREADS', 'NOTHING')),
      -- FAILED: of the ends of runs, only of those that failed.
      add column tells text check (tells in ('FAILED', 'ALWAYS'));

    create table digests (
      user_id uuid primary key references users on delete cascade,
      -- What the person chose for all suites. Null: nothing was chosen.
      hears text check (hears in ('ALL', 'REVIEWS', 'THREADS', 'NOTHING')),
      tells text check (tells in ('FAILED', 'ALWAYS')),
      -- Nothing is sent before.
      due_at timestamptz not null default now(),
      -- How often the next digest failed.
      attempts integer not null default 0
    );

    -- What waits for a person's next digest. A place in the order of events would not do: an earlier event may be committed later.
    create table digest_events (
      user_id uuid not null references users on delete cascade,
      event_id bigint not null references events on delete cascade,
      constraint digest_events_pkey primary key (user_id, event_id)
    );
    -- The foreign key.
    create index digest_events_event_index on digest_events (event_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table digest_events, digests;
    alter table suite_follows drop column tells, drop column hears;
  `);
}
