import type { Knex } from 'knex';

/**
 * Whom a run waits for. A member is assigned by their grant, so that revoking it ends the assignment; the owner of the suite, who
 * has no grant, by their account alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table run_assignees (
      test_run_id uuid not null references test_runs on delete cascade,
      user_id uuid not null references users on delete cascade,
      grant_id uuid references test_suite_grants on delete cascade,
      assigned_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      constraint run_assignees_pkey primary key (test_run_id, user_id)
    );
    create index run_assignees_user_index on run_assignees (user_id, test_run_id);
    create index run_assignees_grant_index on run_assignees (grant_id);
    create index run_assignees_assigned_by_index on run_assignees (assigned_by);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table run_assignees');
}
