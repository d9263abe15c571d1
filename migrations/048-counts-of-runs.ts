import type { Knex } from 'knex';

const SECTIONS = 7;

/** Adds what moved in or out of the sections of runs. `moved`: rows with `amount`, 1 for a result there, -1 for one gone. */
const addCounts = (moved: string) => `
        update test_runs
        set section_counts = array(
              select counted + more from unnest(test_runs.section_counts, change.sections) with ordinality as section (counted, more, place)
              order by place
            ),
            approved_results = test_runs.approved_results + change.approved
        from (
          select test_run_id, coalesce(sum(amount) filter (where approved), 0)::integer as approved, array[
            ${Array.from({ length: SECTIONS }, (_, rank) => `coalesce(sum(amount) filter (where review_rank = ${rank}), 0)`).join(', ')}
          ]::integer[] as sections
          from (${moved}) as moved group by test_run_id
        ) as change
        where test_runs.id = change.test_run_id
          and (change.approved <> 0 or change.sections <> array_fill(0, array[${SECTIONS}]))`;

const from = (rows: string, amount: 1 | -1) =>
  `select test_run_id, review_rank, approved, ${amount} as amount from ${rows}`;

/**
 * `section_counts`: how many results of a run have each `review_rank`, from 0; `approved_results`: how many have an
 * approval. So lists of runs count no results. A trigger keeps them, since a host of the version before does not. Who
 * moves a result to another section has locked its run, so that the trigger waits for nobody.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs
      add column section_counts integer[] not null default array_fill(0, array[${SECTIONS}]),
      add column approved_results integer not null default 0;

    create function count_results() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then ${addCounts(from('arrived', 1))};
      elsif tg_op = 'DELETE' then ${addCounts(from('gone', -1))};
      else ${addCounts(`${from('arrived', 1)} union all ${from('gone', -1)}`)};
      end if;
      return null;
    end $$;
    create trigger page_results_arrived after insert on page_results
      referencing new table as arrived for each statement execute function count_results();
    create trigger page_results_gone after delete on page_results
      referencing old table as gone for each statement execute function count_results();
    create trigger page_results_moved after update on page_results
      referencing old table as gone new table as arrived for each statement execute function count_results();

    ${addCounts(from('page_results', 1))};
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger page_results_moved on page_results;
    drop trigger page_results_gone on page_results;
    drop trigger page_results_arrived on page_results;
    drop function count_results();
    alter table test_runs drop column approved_results, drop column section_counts;
  `);
}
