import type { Knex } from 'knex';

/** The web sites under test. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table test_suites (
      id uuid primary key default gen_random_uuid(),
      -- The owner, who never changes.
      user_id uuid not null references users on delete cascade,
      name text not null,
      description text,
      -- MANUAL: a single page, which is not crawled.
      kind text not null default 'SUITE' check (kind in ('SUITE', 'MANUAL')),
      -- As the owner typed it, and its origin, normalized.
      base_url text not null,
      origin text not null,
      is_active boolean not null default true,
      -- What people set; the rest has a default.
      config jsonb not null default '{}',
      -- What the repository's file sets of it, as it is on the default branch.
      config_file jsonb,
      -- Previews that a person has said to be on other servers than the site.
      different_servers text[] not null default '{}',
      -- How far proofs that a page has not changed are trusted.
      proof_record jsonb,
      -- Runs are numbered by it, under the lock of this row.
      last_run_number integer not null default 0,

      -- The linked repository.
      codehost_owner text,
      codehost_repo text,
      codehost_installation_id bigint,
      codehost_check_context text,
      -- The code host's own number of it. It stays when the repository is renamed or moved, and no other gets it. Null: it
      -- was not told yet.
      codehost_repository_id bigint,

      crawl_status text not null default 'IDLE'
        check (crawl_status in ('IDLE', 'QUEUED', 'CRAWLING', 'COMPLETED', 'FAILED')),
      crawl_queued_at timestamptz,
      -- What the running crawl has found so far. Null: none is running.
      crawl_progress jsonb,
      last_crawled_at timestamptz,
      crawl_stats jsonb,
      -- What the last completed crawl tracked by itself. Null: it was not to track anything.
      crawl_tracked jsonb,
      crawl_error text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint test_suites_codehost_check
        check (num_nulls(codehost_owner, codehost_repo, codehost_installation_id) in (0, 3)),
      constraint test_suites_codehost_repository_check
        check (codehost_repository_id is null or codehost_owner is not null)
    );
    -- The suites of an owner, by age and by name.
    create index test_suites_owner_index on test_suites (user_id, kind, created_at, id);
    create index test_suites_owner_name_index on test_suites (user_id, kind, lower(name), id);
    -- Their failed crawls, for the dashboard.
    create index test_suites_failed_crawl_index on test_suites (user_id, last_crawled_at desc, id) where crawl_status = 'FAILED';
    -- Their repositories, whose pull requests the search finds.
    create index test_suites_owner_repository_index on test_suites (user_id, created_at desc, id) where codehost_repo is not null;
    -- The suites that an event of a repository is for.
    create index test_suites_repository_index on test_suites (lower(codehost_owner), lower(codehost_repo));
    create index test_suites_repository_id_index on test_suites (codehost_repository_id);

    -- Whose dashboard shows a suite. The owner follows it from the start, as does who gets access.
    create table suite_follows (
      user_id uuid not null references users on delete cascade,
      test_suite_id uuid not null references test_suites on delete cascade,
      created_at timestamptz not null default now(),
      primary key (user_id, test_suite_id)
    );
    create index suite_follows_suite_index on suite_follows (test_suite_id);
    -- The dashboard, in its order.
    create index suite_follows_newest_index on suite_follows (user_id, created_at desc, test_suite_id);

    create table suite_invitations (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      role text not null check (role in ('VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN')),
      -- Null: for whoever has the link.
      email text,
      invited_by uuid not null references users on delete cascade,
      -- Of the link that whoever made the invitation is told.
      token_hash text not null constraint suite_invitations_token_hash_key unique,
      -- Of the links that were mailed, one for each attempt to send. They prove the address.
      mailed_token_hashes text[] not null default '{}',
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      constraint suite_invitations_mailed_check check (email is not null or mailed_token_hashes = '{}')
    );
    create unique index suite_invitations_email_key on suite_invitations (test_suite_id, lower(email)) where email is not null;
    -- The invitations to a suite.
    create index suite_invitations_suite_index on suite_invitations (test_suite_id);
    create index suite_invitations_invited_by_index on suite_invitations (invited_by);
    -- Opens a link that was mailed.
    create index suite_invitations_mailed_index on suite_invitations using gin (mailed_token_hashes);

    -- What passes the walls of a suite's site: a password, a login, headers.
    create table site_access (
      test_suite_id uuid primary key references test_suites on delete cascade,
      -- New with every change. What a login gave is kept under it.
      revision uuid not null default gen_random_uuid(),
      -- The access holds for this origin alone, so that who may change a suite's address can't send it elsewhere.
      origin text not null,
      preview_hosts jsonb not null,
      -- Kinds and names, to be read by people. The values are sealed.
      kinds jsonb not null,
      sealed text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    -- Who changed it.
    create table site_access_changes (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      user_id uuid references users on delete set null,
      -- Empty: the access was removed.
      kinds jsonb not null,
      created_at timestamptz not null default now()
    );
    -- The newest changes of a suite.
    create index site_access_changes_suite_index on site_access_changes (test_suite_id, created_at desc);
    create index site_access_changes_user_index on site_access_changes (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table site_access_changes, site_access, suite_invitations, suite_follows, test_suites');
}
