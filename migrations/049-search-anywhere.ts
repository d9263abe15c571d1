import type { Knex } from 'knex';

/** As migration 042 has them. */
const RUN_TERMS = `
    alter table test_runs add column search_terms tsvector generated always as (
      run_search_terms(test_suite_id, owner_id, number, git_pr_number, git_head_sha,
                       coalesce(git_branch, '') || ' ' || coalesce(git_title, '') || ' ' || coalesce(git_message, ''))
    ) stored;
    create index test_runs_search_index on test_runs using gin (search_terms);`;

/** As migration 047 has them. */
const PAGE_TERMS = `
    alter table site_pages add column search_terms tsvector generated always as (
      page_search_terms(test_suite_id, owner_id, path || ' ' || coalesce(title, ''))
    ) stored;
    create index site_pages_search_index on site_pages using gin (search_terms);`;

const DROP_TERMS = 'alter table site_pages drop column search_terms; alter table test_runs drop column search_terms;';

/** The functions of both tables, with the words of a text or with what else is found in it. */
const functions = (words: string) => `
    create or replace function page_search_terms(suite uuid, owner uuid, words text)
      returns tsvector language sql immutable parallel safe as $$
      select array_to_tsvector(array_remove(array['/' || suite, '%' || owner] || ${words}, null))
    $$;
    create or replace function run_search_terms(suite uuid, owner uuid, number integer, pull_request integer, sha text, words text)
      returns tsvector language sql immutable parallel safe as $$
      select array_to_tsvector(array_remove(
        array['/' || suite, '%' || owner, '#' || number, '#' || pull_request, '@' || lower(sha)] || ${words}, null))
    $$;`;

/**
 * Pages and runs are found by a part in the middle of a word: what follows each of its letters is a term as well, which
 * begins with a sign that no word has. So the index that has the scope among its terms serves, and no extension is
 * needed (pg_trgm has an index without the scope, and is not on every server). Parts are cut: 40 of a word, of 40
 * characters each, and none shorter than three. Partial indexes lead to failed crawls, and to suites with a repository.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ${DROP_TERMS}
    create function search_parts(words text[]) returns text[] language sql immutable parallel safe as $$
      select array(
        select '~' || substr(word, start, 40)
        from unnest(words) as word, generate_series(2, least(char_length(word) - 2, 41)) as start)
    $$;
    ${functions('search_words(words) || search_parts(search_words(words))')}
    ${PAGE_TERMS}
    ${RUN_TERMS}
    create index test_suites_failed_crawl_index on test_suites (user_id, last_crawled_at desc, id) where crawl_status = 'FAILED';
    create index test_suites_owner_repository_index on test_suites (user_id, created_at desc, id) where codehost_repo is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index test_suites_owner_repository_index;
    drop index test_suites_failed_crawl_index;
    ${DROP_TERMS}
    ${functions('search_words(words)')}
    drop function search_parts(text[]);
    ${PAGE_TERMS}
    ${RUN_TERMS}
  `);
}
