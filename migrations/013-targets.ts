import type { Knex } from 'knex';

/** Programs and channels that are told of events, and what was sent to them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table targets (
      id uuid primary key default gen_random_uuid(),
      -- Null: it is told of the whole installation.
      test_suite_id uuid references test_suites (id) on delete cascade,
      kind text not null check (kind in ('WEBHOOK', 'SLACK', 'TEAMS')),
      name text not null,
      -- The host of its address. The address itself may be a secret.
      host text not null,
      -- Kinds of events.
      listens text[] not null,
      -- FAILED: only of what failed.
      tells text not null check (tells in ('FAILED', 'ALWAYS')),
      -- Its address, signing secrets and token.
      sealed text not null,
      -- Why nothing is sent any more. Null: it is in use.
      stopped_because text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    -- The foreign key, and who listens to a suite.
    create index targets_test_suite_id_index on targets (test_suite_id);

    create table target_deliveries (
      id bigint generated always as identity primary key,
      target_id uuid not null references targets (id) on delete cascade,
      -- The same however often it is sent: from the event, or of a test.
      message_id text not null,
      message jsonb not null,
      state text not null default 'WAITING' check (state in ('WAITING', 'SENT', 'GIVEN_UP')),
      attempts integer not null default 0,
      -- Nothing is sent before.
      due_at timestamptz not null default now(),
      -- What the last attempt found: when, for how many milliseconds, and the answer or why there was none.
      tried_at timestamptz,
      took_ms integer,
      status integer,
      answer text,
      error text,
      created_at timestamptz not null default now(),
      -- A target is told of an event once.
      constraint target_deliveries_message_key unique (target_id, message_id)
    );
    -- The foreign key, the last deliveries of a target, and which one is next.
    create index target_deliveries_target_id_index on target_deliveries (target_id, state, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table target_deliveries; drop table targets');
}
