import type { Knex } from 'knex';

/** What a web site contains. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function search_words(words text) returns text[] language sql immutable parallel safe as $$
      select array(
        select left(word, 200) from unnest(string_to_array(
          translate(lower(words), E' \\t\\n\\r!"#$%&''()*+,-./:;<=>\\?@[\\\\]^_\`{|}~', repeat(' ', 36)), ' ')) as word
        where word <> '')
    $$;
    create function search_parts(words text[]) returns text[] language sql immutable parallel safe as $$
      select array(
        select '~' || substr(word, start, 40)
        from unnest(words) as word, generate_series(2, least(char_length(word) - 2, 41)) as start)
    $$;
    create function page_search_terms(suite uuid, owner uuid, words text)
      returns tsvector language sql immutable parallel safe as $$
      select array_to_tsvector(array_remove(array['/' || suite, '%' || owner] || search_words(words) || search_parts(search_words(words)), null))
    $$;

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
      search_terms tsvector generated always as (
        page_search_terms(test_suite_id, owner_id, path || ' ' || coalesce(title, ''))
      ) stored,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint site_pages_suite_path_key unique (test_suite_id, path)
    );
    -- Counts the pages of a suite.
    create index site_pages_tally_index on site_pages (test_suite_id, status, tracked);
    create index site_pages_owner_index on site_pages (owner_id);
    -- The search.
    create index site_pages_search_index on site_pages using gin (search_terms);

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
    drop function page_search_terms(uuid, uuid, text);
    drop function search_parts(text[]);
    drop function search_words(text);
  `);
}
