import type { Knex } from 'knex';

/** As migration 042 has them. */
const RUN_TERMS = `
    alter table test_runs add column search_terms tsvector generated always as (
      run_search_terms(test_suite_id, owner_id, number, git_pr_number, git_head_sha,
                       coalesce(git_branch, '') || ' ' || coalesce(git_title, '') || ' ' || coalesce(git_message, ''))
    ) stored;
    create index test_runs_search_index on test_runs using gin (search_terms);`;

/**
 * `page_states`: what the newest finished site run found at each path of a suite, so that the pages of a large suite are
 * counted and filtered without reading their results. Triggers keep it, since a host of the version before does not.
 * `suite_follows`: whose dashboard shows a suite. The owner follows it from the start, as does who gets access.
 * `site_pages.search_terms`: the words by which a page is found, of every suite of an owner. Words are cut, since a
 * lexeme holds 2 kB. The words of runs are separated anew: migration 042 took the digit 1 for a separator, as knex
 * reads a bare question mark as a binding. Partial indexes lead to the failed runs.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table page_states (
      test_suite_id uuid not null references test_suites on delete cascade,
      path text not null,
      state text not null,
      test_run_id uuid not null references test_runs on delete cascade,
      run_created_at timestamptz not null,
      primary key (test_suite_id, path),
      constraint page_states_state_check
        check (state in ('error', 'changed', 'approved', 'uncounted', 'cancelled', 'new', 'unchanged'))
    );
    create index page_states_run_index on page_states (test_run_id);

    create function save_page_states(runs uuid[], paths text[]) returns void language sql as $$
      insert into page_states (test_suite_id, path, state, test_run_id, run_created_at)
      select run.test_suite_id, result.path,
             case when bool_or(result.status = 'ERROR') then 'error'
                  when bool_or(result.status = 'FAIL' and not result.approved and coalesce(result.cause, 'CHANGE') = 'CHANGE') then 'changed'
                  when bool_or(result.status = 'FAIL' and result.approved) then 'approved'
                  when bool_or(result.status = 'FAIL') then 'uncounted'
                  when bool_or(result.status in ('PENDING', 'CANCELLED')) then 'cancelled'
                  when bool_and(result.is_new) then 'new' else 'unchanged' end,
             run.id, run.created_at
      from (
        select distinct on (newest.test_suite_id, touched.path) newest.*, touched.path
        from unnest(runs, paths) as touched (run_id, path)
        join test_runs as newest on newest.id = touched.run_id
        where newest.run_type = 'MANUAL' and newest.status in ('COMPLETED', 'FAILED')
        order by newest.test_suite_id, touched.path, newest.created_at desc
      ) as run
      join page_results as result on result.test_run_id = run.id and result.path = run.path
      group by run.test_suite_id, result.path, run.id, run.created_at
      order by run.test_suite_id, result.path
      on conflict (test_suite_id, path) do update
        set state = excluded.state, test_run_id = excluded.test_run_id, run_created_at = excluded.run_created_at
        where excluded.run_created_at >= page_states.run_created_at
          and (excluded.state, excluded.test_run_id) is distinct from (page_states.state, page_states.test_run_id)
    $$;

    create function follow_results() returns trigger language plpgsql as $$
    begin
      perform save_page_states(array_agg(test_run_id), array_agg(path))
      from (select distinct test_run_id, path from changed) as touched;
      return null;
    end $$;
    create trigger page_results_added after insert on page_results
      referencing new table as changed for each statement execute function follow_results();
    create trigger page_results_changed after update on page_results
      referencing new table as changed for each statement execute function follow_results();

    create function follow_run() returns trigger language plpgsql as $$
    declare left_paths text[];
    begin
      if old.status in ('COMPLETED', 'FAILED') and new.status not in ('COMPLETED', 'FAILED') then
        with gone as (delete from page_states where test_run_id = new.id returning path)
        select array_agg(path order by path) into left_paths from gone;
        perform save_page_states(array_agg(before.id), array_agg(left_path))
        from unnest(left_paths) as left_path
        cross join lateral (
          select id from test_runs
          where test_suite_id = new.test_suite_id and run_type = 'MANUAL' and status in ('COMPLETED', 'FAILED')
            and exists (select from page_results where test_run_id = test_runs.id and path = left_path)
          order by created_at desc, id desc limit 1
        ) as before;
      elsif new.status in ('COMPLETED', 'FAILED') then
        perform save_page_states(array_agg(new.id), array_agg(path))
        from (select distinct path from page_results where test_run_id = new.id) as captured;
      end if;
      return null;
    end $$;
    create trigger test_runs_ended after update of status on test_runs for each row
      when (new.run_type = 'MANUAL' and old.status is distinct from new.status) execute function follow_run();

    select save_page_states(array_agg(test_run_id), array_agg(path)) from (
      select distinct on (run.test_suite_id, result.path) result.test_run_id, result.path
      from page_results as result
      join test_runs as run on run.id = result.test_run_id
        and run.run_type = 'MANUAL' and run.status in ('COMPLETED', 'FAILED')
      order by run.test_suite_id, result.path, run.created_at desc, run.id desc
    ) as latest;

    create table suite_follows (
      user_id uuid not null references users on delete cascade,
      test_suite_id uuid not null references test_suites on delete cascade,
      created_at timestamptz not null default now(),
      primary key (user_id, test_suite_id)
    );
    create index suite_follows_suite_index on suite_follows (test_suite_id);
    create index suite_follows_newest_index on suite_follows (user_id, created_at desc, test_suite_id);
    insert into suite_follows (user_id, test_suite_id, created_at)
      select user_id, id, created_at from test_suites
      union
      select grants.principal_id, grants.test_suite_id, min(grants.created_at)
      from test_suite_grants as grants join users on users.id = grants.principal_id
      join test_suites as suite on suite.id = grants.test_suite_id and suite.user_id <> grants.principal_id
      where grants.principal_type = 'USER' group by 1, 2;

    create function follow_own_suite() returns trigger language plpgsql as $$
    begin
      insert into suite_follows (user_id, test_suite_id) values (new.user_id, new.id) on conflict do nothing;
      return null;
    end $$;
    create trigger test_suites_followed after insert on test_suites for each row execute function follow_own_suite();
    create function follow_shared_suite() returns trigger language plpgsql as $$
    begin
      insert into suite_follows (user_id, test_suite_id)
        select id, new.test_suite_id from users where id = new.principal_id on conflict do nothing;
      return null;
    end $$;
    create trigger test_suite_grants_followed after insert on test_suite_grants for each row
      when (new.principal_type = 'USER') execute function follow_shared_suite();

    create index test_runs_owner_failed_index on test_runs (owner_id, created_at desc, id desc) where status = 'FAILED';
    create index test_runs_suite_failed_index on test_runs (test_suite_id, created_at desc, id desc) where status = 'FAILED';

    alter table site_pages add column owner_id uuid references users on delete cascade;
    update site_pages set owner_id = test_suites.user_id from test_suites where test_suites.id = site_pages.test_suite_id;
    create function set_page_owner() returns trigger language plpgsql as $$
    begin
      new.owner_id := (select user_id from test_suites where id = new.test_suite_id);
      return new;
    end $$;
    create trigger site_pages_owner before insert on site_pages for each row execute function set_page_owner();

    create function search_words(words text) returns text[] language sql immutable parallel safe as $$
      select array(
        select left(word, 200) from unnest(string_to_array(
          translate(lower(words), E' \\t\\n\\r!"#$%&''()*+,-./:;<=>\\?@[\\\\]^_\`{|}~', repeat(' ', 36)), ' ')) as word
        where word <> '')
    $$;
    create function page_search_terms(suite uuid, owner uuid, words text)
      returns tsvector language sql immutable parallel safe as $$
      select array_to_tsvector(array_remove(array['/' || suite, '%' || owner] || search_words(words), null))
    $$;
    alter table site_pages add column search_terms tsvector generated always as (
      page_search_terms(test_suite_id, owner_id, path || ' ' || coalesce(title, ''))
    ) stored;
    create index site_pages_search_index on site_pages using gin (search_terms);
    create index site_pages_owner_index on site_pages (owner_id);

    alter table test_runs drop column search_terms;
    create or replace function run_search_terms(suite uuid, owner uuid, number integer, pull_request integer, sha text, words text)
      returns tsvector language sql immutable parallel safe as $$
      select array_to_tsvector(array_remove(
        array['/' || suite, '%' || owner, '#' || number, '#' || pull_request, '@' || lower(sha)] || search_words(words), null))
    $$;
    ${RUN_TERMS}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs drop column search_terms;
    create or replace function run_search_terms(suite uuid, owner uuid, number integer, pull_request integer, sha text, words text)
      returns tsvector language sql immutable parallel safe as $$
      select array_to_tsvector(array_remove(
        array['/' || suite, '%' || owner, '#' || number, '#' || pull_request, '@' || lower(sha)] || array_remove(string_to_array(
          translate(lower(words), E' \\t\\n\\r!"#$%&''()*+,-./:;<=>?@[\\\\]^_\`{|}~', repeat(' ', 36)), ' '), ''),
        null))
    $$;
    ${RUN_TERMS}

    drop index site_pages_owner_index;
    alter table site_pages drop column search_terms;
    drop function page_search_terms(uuid, uuid, text);
    drop function search_words(text);
    drop trigger site_pages_owner on site_pages;
    drop function set_page_owner();
    alter table site_pages drop column owner_id;

    drop index test_runs_suite_failed_index;
    drop index test_runs_owner_failed_index;

    drop trigger test_suite_grants_followed on test_suite_grants;
    drop function follow_shared_suite();
    drop trigger test_suites_followed on test_suites;
    drop function follow_own_suite();
    drop table suite_follows;

    drop trigger test_runs_ended on test_runs;
    drop function follow_run();
    drop trigger page_results_changed on page_results;
    drop trigger page_results_added on page_results;
    drop function follow_results();
    drop function save_page_states(uuid[], text[]);
    drop table page_states;
  `);
}
