import type { Knex } from 'knex';

/**
 * What keeps a difference from passing by mistake. A screenshot on which changes were requested says when, so that it is
 * not taken for an older version of the page; when its approval was undone is there already. A result keeps what its server
 * and the suite's own site served, whether that shows two servers, and which other screenshots loads of the page have shown. A
 * suite keeps which previews a person has said to be on other servers.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results
      add column refused_at timestamptz,
      add column served jsonb,
      add column control_served jsonb,
      add column servers text,
      add column also_seen jsonb,
      add constraint page_results_servers_check check (servers in ('DIFFERENT', 'MAYBE_ONE'));
    update page_results set refused_at = (
      select max(asked.created_at) from change_requests as asked
      where asked.page_result_id = page_results.id
        or (asked.page_result_id is null and asked.test_run_id = page_results.test_run_id
          and ((page_results.status = 'FAIL' and coalesce(page_results.cause, 'CHANGE') = 'CHANGE') or page_results.is_new))
    )
    where test_run_id in (select test_run_id from change_requests);
    create index page_results_refused_index on page_results (path, viewport)
      where refused_at is not null or approval_undone_at is not null;
    create index page_results_servers_index on page_results (test_run_id) where servers is not null;
    alter table test_suites add column different_servers text[] not null default '{}';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_suites drop column different_servers;
    drop index page_results_servers_index;
    drop index page_results_refused_index;
    alter table page_results
      drop column also_seen, drop column servers, drop column control_served, drop column served, drop column refused_at;
  `);
}
