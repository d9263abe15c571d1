import type { Knex } from 'knex';

/** As in `src/runs/results/review-section.ts`. The rank of a result is the place of its section. */
const SECTIONS = ['changed', 'new', 'error', 'pending', 'uncounted', 'passed', 'cancelled'];

const rank = (section: string) => SECTIONS.indexOf(section);

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
            ${SECTIONS.map((section) => `coalesce(sum(amount) filter (where review_rank = ${rank(section)}), 0)`).join(', ')}
          ]::integer[] as sections
          from (${moved}) as moved group by test_run_id
        ) as change
        where test_runs.id = change.test_run_id
          and (change.approved <> 0 or change.sections <> array_fill(0, array[${SECTIONS.length}]))`;

const from = (rows: string, amount: 1 | -1) =>
  `select test_run_id, review_rank, approved, ${amount} as amount from ${rows}`;

/** What runs find: the results of pages at viewports, and what changed in them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One page at one viewport. Files are names of objects.
    create table page_results (
      id uuid primary key default gen_random_uuid(),
      test_run_id uuid not null references test_runs on delete cascade,
      position integer not null,
      path text not null,
      url text not null,
      viewport text not null,
      status text not null default 'PENDING' check (status in ('PENDING', 'PASS', 'FAIL', 'ERROR', 'CANCELLED')),
      error text,
      -- The place among the results of a run in flight that have come out, given under the run's row lock: places become visible in
      -- their order. A result that is captured again comes out once more, in a new place.
      settled_number integer,

      -- Who is at work on the page: the job, and a mark of this delivery of it.
      taken_by text,
      -- Not before. Null: now.
      due_at timestamptz,
      -- Failures of its capture, or of its comparison.
      attempts smallint not null default 0,
      -- How often a worker died beside it.
      deaths smallint not null default 0,

      -- The screenshot.
      current_file text,
      capture_engine text,
      -- How steady the page was, and how many screenshots were taken before one was believed.
      stability text check (stability in ('AT_ONCE', 'SETTLED', 'UNSTABLE')),
      screenshots integer,
      -- Other screenshots that loads of the page have shown in the same capture.
      also_seen jsonb,
      -- Taken of a page at rest, or at which moment of its clock. Null: nobody knows.
      at_rest boolean not null default false,
      capture_way jsonb,
      -- The page continues below.
      cut boolean not null default false,
      elements_file text,
      -- What the server gave. Null: nobody has to know.
      served jsonb,
      -- What the page was made of, and what was found when that was asked for again. Null: nothing is known.
      manifest_file text,
      proof jsonb,
      unmatched_selectors jsonb,

      -- The comparison. The version that it was made with is in the baselines.
      is_new boolean not null default false,
      baseline_file text,
      baseline_version_id uuid,
      compare_engine text,
      diff_file text,
      -- Percentage of differing pixels.
      diff_score double precision,
      -- Where the screenshots differ, in pixels of the larger canvas.
      diff_regions jsonb,
      -- Every difference is one that a person would hardly see.
      faint boolean not null default false,
      -- Both screenshots on one canvas, and what only moved. Null: nothing did.
      aligned_baseline_file text,
      aligned_current_file text,
      moves jsonb,
      ignored_boxes jsonb,
      -- The groups of its changes: their change_key in result_changes.
      change_ids jsonb,
      -- Why it differs. Only a CHANGE needs an approval.
      cause text check (cause in ('CHANGE', 'DRIFT', 'BEHIND', 'FROM_PULL_REQUEST', 'ENGINE', 'IGNORED')),
      -- What the cause refers to.
      cause_pr_number integer,
      cause_version integer,
      -- A person said that it is a change, whatever would explain it. No later judgement undoes that.
      counted_as_change boolean not null default false,

      -- The suite's own site, captured when a preview differs from the baseline. Null: it is not wanted.
      control_state text check (control_state in ('DUE', 'TAKEN', 'FAILED')),
      control_file text,
      control_elements_file text,
      control_served jsonb,
      -- The site itself no longer looked like the baseline.
      drifted boolean not null default false,
      -- Whether preview and site are seen to be two servers. MAYBE_ONE: nothing tells them apart.
      servers text check (servers in ('DIFFERENT', 'MAYBE_ONE')),

      -- What the settings of the base would have shown, where the pull request changes them. With no file of its own, the same
      -- screenshot shows it.
      base_state text check (base_state in ('DUE', 'TAKEN', 'FAILED')),
      base_file text,
      base_elements_file text,
      base_status text check (base_status in ('PASS', 'FAIL')),
      base_score double precision,
      base_diff_file text,
      -- Only the settings of the base have the page: this is no result of the pull request.
      left_out boolean not null default false,

      approved boolean not null default false,
      approved_by uuid references users on delete set null,
      approved_at timestamptz,
      -- A later run of the pull request does not carry over what was taken back, nor take what was refused for an older version.
      approval_undone_at timestamptz,
      refused_at timestamptz,
      -- Approved in an earlier run of the pull request.
      carried_over boolean not null default false,
      -- Of its last verdict; 0: there is none.
      verdict_number integer not null default 0,
      changes_requested boolean not null default false,

      -- The order of the review, kept so that an index has it: the section, and the largest change first. A test compares the rank
      -- with findSection for every result that there can be.
      review_rank smallint not null generated always as (
        case status
          when 'FAIL' then case when coalesce(cause, 'CHANGE') = 'CHANGE' then ${rank('changed')} else ${rank('uncounted')} end
          when 'PASS' then case when is_new then ${rank('new')} else ${rank('passed')} end
          when 'ERROR' then ${rank('error')}
          when 'PENDING' then ${rank('pending')}
          else ${rank('cancelled')}
        end
      ) stored,
      review_weight double precision not null generated always as (
        case status when 'FAIL' then case when faint then 1000 else 0 end - coalesce(diff_score, 0) else 0 end
      ) stored,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint page_results_run_path_viewport_key unique (test_run_id, path, viewport)
    );
    create unique index page_results_settled_key on page_results (test_run_id, settled_number);
    -- The review of a run, in its order.
    create index page_results_review_index on page_results (test_run_id, review_rank, review_weight, position)
      include (approved);
    -- What is to be done next, what is under way, and what has failed too often.
    create index page_results_pending_index on page_results (
      test_run_id, (case when control_state = 'DUE' then 0 when current_file is null then 1 else 2 end), deaths, position
    ) where status = 'PENDING';
    create index page_results_taken_index on page_results (taken_by) where status = 'PENDING' and taken_by is not null;
    create index page_results_failed_index on page_results (id) where status = 'PENDING' and attempts >= 5;
    -- The few results of a run that are unstable, where the site drifted, or whose servers matter.
    create index page_results_unstable_index on page_results (test_run_id, path, viewport) where stability = 'UNSTABLE';
    create index page_results_drifted_index on page_results (test_run_id) where drifted;
    create index page_results_servers_index on page_results (test_run_id) where servers is not null;
    -- What reviewers did not want, of a page.
    create index page_results_refused_index on page_results (path, viewport)
      where refused_at is not null or approval_undone_at is not null;
    create index page_results_approved_by_index on page_results (approved_by);

    -- Keeps section_counts and approved_results of the runs, so that lists of runs count no results. Whoever moves a result to another
    -- section has locked its run, so it waits for nobody.
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

    -- What changed in a result, element by element.
    create table result_changes (
      id uuid primary key default gen_random_uuid(),
      page_result_id uuid not null references page_results on delete cascade,
      test_run_id uuid not null references test_runs on delete cascade,
      position integer not null,
      -- The group of changes that are the same on several pages.
      change_key text not null,
      -- What the change shows, as a hash: the results of a group in which it is the same are one variant. Null: nobody knows.
      picture text check (picture ~ '^[0-9a-f]{32}$'),
      kind text not null
        check (kind in ('ADDED', 'REMOVED', 'MOVED', 'RESIZED', 'RESTYLED', 'TEXT', 'IMAGE', 'PIXELS')),
      element text not null,
      summary text not null,
      before text,
      after text,
      baseline_box jsonb,
      current_box jsonb,
      canvas_box jsonb not null,
      faint boolean not null,
      -- The suite's own site shows it, too.
      drift boolean not null default false,
      approved_by uuid references users on delete set null,
      approved_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint result_changes_key unique (page_result_id, position)
    );
    -- The groups of a run.
    create index result_changes_run_index on result_changes (test_run_id, change_key);
    create index result_changes_approved_by_index on result_changes (approved_by);

    -- Differences that a person said to ignore.
    create table ignored_changes (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      path text not null,
      viewport text not null,
      baseline_file text not null,
      current_file text not null,
      -- Of the difference.
      fingerprint text not null,
      note text,
      author_id uuid references users on delete set null,
      expires_at timestamptz,
      uses integer not null default 0,
      last_used_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint ignored_changes_key unique (test_suite_id, path, viewport, fingerprint)
    );
    -- The list of a suite.
    create index ignored_changes_suite_index on ignored_changes (test_suite_id, created_at desc, id desc);
    create index ignored_changes_author_index on ignored_changes (author_id);

    -- What the newest finished site run found at each path of a suite, so that the pages of a large suite are counted and filtered
    -- without reading their results.
    create table page_states (
      test_suite_id uuid not null references test_suites on delete cascade,
      path text not null,
      state text not null
        check (state in ('error', 'changed', 'approved', 'uncounted', 'cancelled', 'new', 'unchanged')),
      test_run_id uuid not null references test_runs on delete cascade,
      run_created_at timestamptz not null,
      primary key (test_suite_id, path)
    );
    -- The pages of a run that goes on.
    create index page_states_run_index on page_states (test_run_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table page_states, ignored_changes, result_changes, page_results;
    drop function count_results();
  `);
}
