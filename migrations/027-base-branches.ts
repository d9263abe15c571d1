import type { Knex } from 'knex';

/**
 * The default branch of each repository, as webhooks tell it, and whether a pull request's run gates the merge: it does
 * when the pull request is based on one of the suite's base branches. `told_at` is the code host's time of the message
 * that named the branch.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table repositories (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      repo text not null,
      default_branch text not null,
      told_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint repositories_name_key unique (owner, repo)
    );
    alter table test_runs add column git_gated boolean not null default true;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs drop column git_gated;
    drop table repositories;
  `);
}
