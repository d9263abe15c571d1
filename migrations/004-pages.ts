import type { Knex } from 'knex';

/** What a web site contains. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The search finds parts of words by their trigrams, in the suites that a person may read: the second extension lets one index have
    -- both. Every distribution of PostgreSQL has them, and who owns the database may install them.
    create extension pg_trgm;
    create extension btree_gin;

    create table site_pages (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      -- The owner of the suite.
      owner_id uuid not null references users on delete cascade,
      -- Path and query of the normalized address: this is what a page is. Its origin is that of the suite.
      path text not null,
      title text,
      -- NEW: found by the last crawl. REMOVED: no longer there.
      status text not null default 'ACTIVE' check (status in ('NEW', 'ACTIVE', 'REMOVED')),
      -- Whether runs capture it.
      tracked boolean not null default false,
      -- No crawl tracks it again.
      untracked_by_hand boolean not null default false,
      -- Every crawl looks it up, linked or not.
      added_by_hand boolean not null default false,
      -- The path of the page whose link led there. When that does not answer, nothing is known of what lies behind it.
      found_on text,
      first_seen_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      removed_at timestamptz,
      -- The words of path and title in lowercase, with a space before each. src/text/search-words.ts has the same separators.
      search_text text not null generated always as (
        ' ' || translate(lower(path || ' ' || coalesce(title, '')), E' \\t\\n\\r!"#$%&''()*+,-./:;<=>\\?@[\\\\]^_\`{|}~', repeat(' ', 36))
      ) stored,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint site_pages_suite_path_key unique (test_suite_id, path)
    );
    -- Counts the pages of a suite.
    create index site_pages_tally_index on site_pages (test_suite_id, status, tracked);
    create index site_pages_owner_index on site_pages (owner_id);
    -- The search, among the pages of an owner or of a suite.
    create index site_pages_search_index on site_pages using gin (owner_id, test_suite_id, search_text gin_trgm_ops);

    -- What was found at an address before somebody makes a suite of it. Only the newest of a person are kept.
    create table site_looks (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      address text not null,
      -- The rest of the form, for a browser without scripts.
      typed jsonb not null,
      status text not null default 'PENDING' check (status in ('PENDING', 'DONE')),
      facts jsonb,
      -- A small picture as a data URI.
      picture text,
      problem text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    -- The newest looks of a person.
    create index site_looks_user_index on site_looks (user_id, created_at desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table site_looks, site_pages;
    drop extension btree_gin;
    drop extension pg_trgm;
  `);
}
