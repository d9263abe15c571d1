import type { Knex } from 'knex';

/**
 * Crawls may track what they find. A page that a person untracked stays untracked: of the pages that are not tracked,
 * those with a baseline were tracked once, so somebody untracked them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table site_pages add column untracked_by_hand boolean not null default false;
    update site_pages set untracked_by_hand = true
    where not tracked and exists (
      select from baselines
      where baselines.test_suite_id = site_pages.test_suite_id and baselines.path = site_pages.path
    );
    alter table test_suites
      -- What the running crawl has found so far. Null: none is running.
      add column crawl_progress jsonb,
      -- What the last completed crawl tracked by itself. Null: it was not to track anything.
      add column crawl_tracked jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_suites drop column crawl_progress, drop column crawl_tracked;
    alter table site_pages drop column untracked_by_hand;
  `);
}
