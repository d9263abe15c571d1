import type { Knex } from 'knex';

/**
 * A result of a preview that differs is not settled until the suite's own site was captured as well (`control_state`).
 * What the site shows too is drift: of a whole result, of a change, or (in `diff_regions`) of a region. `drifted`: the
 * site itself no longer looked like the baseline.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results
      add column control_state text,
      add column control_elements_file text,
      add column drifted boolean not null default false,
      add constraint page_results_control_state_check check (control_state in ('DUE', 'TAKEN', 'FAILED'));
    create index page_results_drifted_index on page_results (test_run_id) where drifted;
    alter table result_changes add column drift boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table result_changes drop column drift;
    alter table page_results drop column control_state, drop column control_elements_file, drop column drifted;
  `);
}
