import type { Knex } from 'knex';

/**
 * Sites under test. `config` holds what the user set; defaults are merged on reading. The crawl's state lives here, as
 * there is one per suite and its moves are conditional updates of this row. `origin` is the normalised origin of `base_url`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table test_suites (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      base_url text not null,
      origin text not null,
      description text,
      kind text not null default 'SUITE',
      config jsonb not null default '{}',
      user_id uuid not null references users on delete cascade,
      is_active boolean not null default true,
      codehost_owner text,
      codehost_repo text,
      codehost_installation_id bigint,
      codehost_check_context text,
      crawl_status text not null default 'IDLE',
      crawl_queued_at timestamptz,
      last_crawled_at timestamptz,
      crawl_stats jsonb,
      crawl_error text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint test_suites_kind_check check (kind in ('SUITE', 'MANUAL')),
      constraint test_suites_crawl_status_check
        check (crawl_status in ('IDLE', 'QUEUED', 'CRAWLING', 'COMPLETED', 'FAILED')),
      constraint test_suites_codehost_check
        check (num_nulls(codehost_owner, codehost_repo, codehost_installation_id) in (0, 3))
    );
    create index test_suites_user_id_index on test_suites (user_id);
    create index test_suites_repository_index on test_suites (lower(codehost_owner), lower(codehost_repo));

    create table test_suite_grants (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      principal_type text not null default 'USER',
      principal_id uuid not null,
      role text not null default 'VIEWER',
      granted_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint test_suite_grants_principal_key unique (test_suite_id, principal_type, principal_id),
      constraint test_suite_grants_principal_type_check check (principal_type in ('USER', 'TEAM')),
      constraint test_suite_grants_role_check check (role in ('VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN'))
    );
    create index test_suite_grants_principal_index on test_suite_grants (principal_type, principal_id);
    create index test_suite_grants_granted_by_index on test_suite_grants (granted_by);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table test_suite_grants, test_suites');
}
