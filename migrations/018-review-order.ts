import type { Knex } from 'knex';

/**
 * The order in which a reviewer meets the results of a run, kept by the database so that a list of 100,000 is read in
 * parts from an index. The rank is the place of the result's section among REVIEW_SECTIONS in runs/review-section.ts.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results
      add column review_rank smallint not null generated always as (
        case status
          when 'FAIL' then 0
          when 'PASS' then case when is_new then 1 else 4 end
          when 'ERROR' then 2
          when 'PENDING' then 3
          else 5
        end
      ) stored,
      add column review_weight double precision not null generated always as (
        case status when 'FAIL' then - coalesce(diff_score, 0) else 0 end
      ) stored;
    create index page_results_review_index on page_results (test_run_id, review_rank, review_weight, position);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index page_results_review_index;
    alter table page_results drop column review_rank, drop column review_weight;
  `);
}
