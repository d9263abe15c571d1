import type { Knex } from 'knex';

/** Who runs the installation, who may no longer sign in, and which roles groups of an identity provider gave. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table users
      -- Null: no administrator. GROUP: by a group of the identity provider, and looked at again at each sign-in.
      add column administrator text check (administrator in ('NAMED', 'GROUP')),
      -- Null: may sign in.
      add column disabled_at timestamptz;
    -- So far, the first account set the service up.
    update users set administrator = 'NAMED' where id = (select id from users order by created_at, id limit 1);
    -- Whether another administrator is left.
    create index users_administrator_index on users (id) where administrator is not null;

    -- By a group of the identity provider, and looked at again at each sign-in.
    alter table test_suite_grants add column from_group boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_suite_grants drop column from_group;
    drop index users_administrator_index;
    alter table users drop column disabled_at, drop column administrator;
  `);
}
