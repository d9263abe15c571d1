import type { Knex } from 'knex';

/** What happened, who did it, and from where. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Rows are only added, in the transaction of what they tell, until retention removes them. They refer to nothing with a key, because
    -- the record outlives the account, the suite and the run.
    create table events (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      kind text not null,
      actor_kind text not null check (actor_kind in ('person', 'token', 'agent', 'github', 'webhook', 'clock')),
      -- The account that acted, or for which a program acted, and what it was called then.
      actor_id uuid,
      actor_name text,
      -- The token's name, the agent's claim, or the account on the code host.
      actor_via text,
      -- The client's address.
      address text,
      suite_id uuid,
      run_id uuid,
      -- What is needed to tell it. Its shape belongs to the kind.
      details jsonb not null default '{}'
    );
    -- The timelines of a suite, a run and a person, and the list of a kind. All of them newest first.
    create index events_suite_index on events (suite_id, id desc);
    create index events_run_index on events (run_id, id desc);
    create index events_actor_index on events (actor_id, id desc);
    create index events_kind_index on events (kind, id desc);
    -- The oldest ones, to be removed, and the list from a day to another.
    create index events_at_index on events (at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table events');
}
