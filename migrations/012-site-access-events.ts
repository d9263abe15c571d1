import type { Knex } from 'knex';

/** Changes of the access to a site are events, like everything else that people do. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    insert into events (at, kind, actor_kind, actor_id, actor_name, suite_id, details)
    select changed.created_at, 'site_access.changed', 'person', changed.user_id, coalesce(users.name, users.email),
      changed.test_suite_id, jsonb_build_object('kinds', changed.kinds)
    from site_access_changes as changed left join users on users.id = changed.user_id
    order by changed.created_at;
    drop table site_access_changes;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create table site_access_changes (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      user_id uuid references users on delete set null,
      kinds jsonb not null,
      created_at timestamptz not null default now()
    );
    create index site_access_changes_suite_index on site_access_changes (test_suite_id, created_at desc);
    create index site_access_changes_user_index on site_access_changes (user_id);
    insert into site_access_changes (test_suite_id, user_id, kinds, created_at)
    select events.suite_id, users.id, events.details -> 'kinds', events.at
    from events join test_suites on test_suites.id = events.suite_id left join users on users.id = events.actor_id
    where events.kind = 'site_access.changed';
    delete from events where kind = 'site_access.changed';
  `);
}
