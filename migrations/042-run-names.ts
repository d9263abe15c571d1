import type { Knex } from 'knex';

/**
 * Runs have a number in their suite, and say what began them. A trigger numbers them, since a host of the version before
 * does not: it counts in the suite's row, which is locked until the transaction ends, so there is no gap and no double.
 * An insert that meets an existing run of the pull request takes no number. `search_terms` are the words by which a list
 * finds a run; those of its scope begin with a sign that no word has.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_suites add column last_run_number integer not null default 0;
    alter table pull_requests add column title text;
    alter table test_runs
      add column number integer not null default 0,
      add column trigger text,
      add column token_name text,
      add column cancelled_by uuid references users on delete set null,
      add column git_title text,
      add column git_message text,
      add constraint test_runs_trigger_check
        check (trigger in ('USER', 'TOKEN', 'WORKFLOW', 'PUSH', 'MERGE', 'CRAWL'));

    update test_runs set number = numbered.number,
      trigger = case when run_type = 'PR' then 'PUSH'
                     when run_type = 'MANUAL' and git_head_sha is not null then 'MERGE'
                     when started_by is not null then 'USER' end
    from (select id, row_number() over (partition by test_suite_id order by created_at, id) as number from test_runs) as numbered
    where numbered.id = test_runs.id;
    update test_suites set last_run_number = counted.last
    from (select test_suite_id, max(number) as last from test_runs group by test_suite_id) as counted
    where counted.test_suite_id = test_suites.id;
    create unique index test_runs_number_key on test_runs (test_suite_id, number);

    create function set_run_number() returns trigger language plpgsql as $$
    begin
      if new.number <> 0 then
        return new;
      end if;
      perform from test_suites where id = new.test_suite_id for no key update;
      if new.run_type = 'PR' and exists (
        select from test_runs
        where run_type = 'PR' and test_suite_id = new.test_suite_id and git_pr_number = new.git_pr_number
          and git_head_sha = new.git_head_sha and git_attempt = new.git_attempt
      ) then
        return new;
      end if;
      update test_suites set last_run_number = last_run_number + 1 where id = new.test_suite_id
        returning last_run_number into new.number;
      return new;
    end $$;
    create trigger test_runs_number before insert on test_runs for each row execute function set_run_number();

    create function run_search_terms(suite uuid, owner uuid, number integer, pull_request integer, sha text, words text)
      returns tsvector language sql immutable parallel safe as $$
      select array_to_tsvector(array_remove(
        array['/' || suite, '%' || owner, '#' || number, '#' || pull_request, '@' || lower(sha)] || array_remove(string_to_array(
          translate(lower(words), E' \\t\\n\\r!"#$%&''()*+,-./:;<=>?@[\\\\]^_\`{|}~', repeat(' ', 36)), ' '), ''),
        null))
    $$;
    alter table test_runs add column search_terms tsvector generated always as (
      run_search_terms(test_suite_id, owner_id, number, git_pr_number, git_head_sha,
                       coalesce(git_branch, '') || ' ' || coalesce(git_title, '') || ' ' || coalesce(git_message, ''))
    ) stored;
    create index test_runs_search_index on test_runs using gin (search_terms);

    create index test_runs_suite_branch_index on test_runs (test_suite_id, git_branch, created_at desc, id desc)
      where git_branch is not null;
    create index test_runs_owner_branch_index on test_runs (owner_id, git_branch, created_at desc, id desc)
      where git_branch is not null;
    drop index test_runs_started_by_index;
    create index test_runs_started_by_index on test_runs (started_by, created_at desc, id desc);
    create index test_runs_cancelled_by_index on test_runs (cancelled_by);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index test_runs_started_by_index;
    drop index test_runs_owner_branch_index;
    drop index test_runs_suite_branch_index;
    drop index test_runs_number_key;
    drop trigger test_runs_number on test_runs;
    drop function set_run_number();
    alter table test_runs
      drop column search_terms, drop column git_message, drop column git_title, drop column cancelled_by,
      drop column token_name, drop column trigger, drop column number;
    drop function run_search_terms(uuid, uuid, integer, integer, text, text);
    alter table pull_requests drop column title;
    alter table test_suites drop column last_run_number;
    create index test_runs_started_by_index on test_runs (started_by);
  `);
}
