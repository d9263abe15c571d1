/*
 * One account with many suites, and a neighbor with as many: the first suite is big, and its newest run is. The statements
 * are in the order of their tables.
 */

/** 1,010,000 results, 106,000 versions, 10,000 runs, 2,000 suites; a suite of 5,000 pages, a run of 10,000 results. */
export const LOAD = { suites: 2_000, neighbors: 0, runs: 10_000, results: 100, bigPages: 5_000, pages: 24, lines: 30 };

const CHANGED = `'FAIL'`;

const PATHS = `generate_series(1, :pages) as n`;
const VIEWPORTS = `(values ('desktop', 0), ('mobile', 1)) as viewport (name, number)`;
const uuid = (text) => `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;
const pathOf = (n) => `'/section-' || (${n} % 40) || '/page-' || lpad((${n})::text, 5, '0')`;

const SUITE_ROWS = `
  insert into test_suites (id, name, base_url, origin, kind, config, user_id, crawl_status, created_at)
  select ${uuid(`'suite ' || n`)}, 'Site ' || lpad(n::text, 4, '0'), 'https://site-' || n || '.example/', 'https://site-' || n || '.example',
         'SUITE', '{}', :userId, 'COMPLETED', now() - make_interval(mins => 400000 - n)
  from generate_series(1, :suites) as n`;

/** Suites of somebody else, each with a run, that no list of the account may pass through. */
async function insertNeighbors(db, count) {
  const [{ id }] = await db('users').insert({ email: 'neighbor@example.com' }).returning('id');
  await db.raw(NEIGHBOR_SUITES, { id, count });
  await db.raw(NEIGHBOR_RUNS, { id });
}

const NEIGHBOR_SUITES = `
  insert into test_suites (name, base_url, origin, kind, user_id)
  select 'Next door ' || n, 'https://next.example/', 'https://next.example', 'SUITE', :id from generate_series(1, :count) as n`;

const NEIGHBOR_RUNS = `
  insert into test_runs (test_suite_id, owner_id, number, target_base_url, config, status)
  select id, user_id, 1, base_url, '{}', 'COMPLETED' from test_suites where user_id = :id`;

const PAGE_ROWS = `
  insert into site_pages (test_suite_id, owner_id, path, title, status, tracked)
  select ${uuid(`'suite ' || s`)}, :userId, path, 'The page ' || n, 'ACTIVE', true
  from generate_series(:first::integer, :last::integer) as s, ${PATHS}, lateral (select ${pathOf('n')} as path) as address`;

/** Run 1 is the newest run of the suite `big`. A third of the others are of pull requests. */
const RUN_ROWS = `
  insert into test_runs (id, test_suite_id, owner_id, number, status, run_type, review_state, target_base_url, config, git_owner, git_repo,
                         git_pr_number, git_head_sha, git_branch, total_results, metadata, started_at, ended_at, created_at)
  select ${uuid(`'run ' || n`)}, ${uuid(`'suite ' || case when n = 1 then 1 else 1 + n % :suites::integer end`)}, :userId, n,
         case when n between 100 and 109 then 'RUNNING' when n % 40 = 0 then 'FAILED' else 'COMPLETED' end, type,
         case when n % 4 = 1 then 'PENDING' when n % 4 = 3 then 'APPROVED' else 'NOT_REQUIRED' end,
         'https://site-' || n % :suites::integer || '.example/', :config,
         case type when 'PR' then 'acme' end, case type when 'PR' then 'site-' || n % :suites::integer end,
         case type when 'PR' then n end, case type when 'PR' then md5('commit ' || n) end, case type when 'PR' then 'topic-' || n end,
         case when n = 1 then :bigResults::integer else :results::integer end,
         jsonb_build_object('totalPages', 50, 'totalScreenshots', 100, 'passedTests', 92, 'failedTests', 6, 'errorTests', 2),
         at, at + interval '2 minutes', at
  from generate_series(1, :runs::integer) as n,
       lateral (select now() - make_interval(mins => 12 * n) as at,
                       case when n > 1 and n % 3 = 0 then 'PR' else 'MANUAL' end as type) as chosen`;

/** Of a hundred results six changed, two are new, and two are errors. */
const RESULT_ROWS = `
  insert into page_results (id, test_run_id, position, url, path, viewport, status, cause, is_new, current_file, baseline_file,
                            diff_file, diff_score, change_ids, error, settled_number, stability, screenshots)
  select ${uuid(`'result ' || r || ' ' || place`)}, ${uuid(`'run ' || r`)}, place, 'https://site.example' || path, path, viewport.name, status,
         case when status = ${CHANGED} then 'CHANGE' end, place % 50 = 7, md5(r || 'c' || place), md5(r || 'b' || place),
         case when status = ${CHANGED} then md5(r || 'd' || place) end, case when status = ${CHANGED} then (place % 900) / 10.0 else 0 end,
         case when status = ${CHANGED} then jsonb_build_array(md5('change ' || place % 5)) end,
         case when status = 'ERROR' then 'The page answered with 500' end, place, 'AT_ONCE', 1
  from generate_series(:first::integer, :last::integer) as r, ${PATHS}, ${VIEWPORTS},
       lateral (select ${pathOf('n')} as path, 2 * n - 1 + viewport.number as place) as address,
       lateral (select case when place % 50 in (3, 21, 33) then 'FAIL' when place % 50 = 11 then 'ERROR' else 'PASS' end as status) as outcome`;

const STATE_ROWS = `
  insert into page_states (test_suite_id, path, state, test_run_id, run_created_at)
  select distinct on (run.test_suite_id, result.path) run.test_suite_id, result.path,
         case result.status when 'ERROR' then 'error' when ${CHANGED} then 'changed' else 'unchanged' end, run.id, run.created_at
  from test_runs as run join page_results as result on result.test_run_id = run.id
  where run.run_type = 'MANUAL' and run.status in ('COMPLETED', 'FAILED')
  order by run.test_suite_id, result.path, run.created_at desc`;

const CHANGE_ROWS = `
  insert into result_changes (page_result_id, test_run_id, position, change_key, kind, element, summary, canvas_box, faint, picture)
  select id, test_run_id, 0, md5('change ' || position % 5), 'RESTYLED', '#main > p', 'color #111 → #222',
         '{"x":10,"y":20,"width":300,"height":40}', false, md5('picture ' || position % 5)
  from page_results where status = ${CHANGED}`;

const VERSION_ROWS = `
  insert into baseline_versions (id, test_suite_id, path, url, viewport, version, file_path, source, approved_by)
  select ${uuid(`'version ' || s || path || viewport.name`)}, ${uuid(`'suite ' || s`)}, path, 'https://site-' || s || '.example' || path, viewport.name, 1,
         md5(s || path || viewport.name), 'INITIAL', null
  from generate_series(:first::integer, :last::integer) as s, ${PATHS}, ${VIEWPORTS}, lateral (select ${pathOf('n')} as path) as address`;

const BASELINE_ROWS = `
  insert into baselines (test_suite_id, path, viewport, file_path, current_version, current_version_id)
  select test_suite_id, path, viewport, file_path, version, id from baseline_versions`;

const LOG_ROWS = `
  insert into test_run_logs (test_run_id, number, type, message, progress)
  select ${uuid(`'run ' || r`)}, n, case when n % 10 = 0 then 'WARNING' else 'INFO' end, 'The page ' || n || ' at desktop: unchanged', n
  from generate_series(1, :runs) as r, generate_series(1, case when r = 1 then :bigResults::integer else :lines::integer end) as n`;

/** Fills an empty database. `userId`: an account that exists. `config`: of runs. */
export async function seedLoad(db, { userId, config, size = LOAD }) {
  await db.raw('set statement_timeout = 0');
  await db.transaction(async (trx) => insertRows(trx, { userId, config: JSON.stringify(config), ...size }));
  await db.raw('vacuum analyze');
}

async function insertRows(db, { userId, config, suites, neighbors, runs, results, bigPages, pages, lines }) {
  const bigResults = 2 * bigPages;
  const ofBig = { userId, first: 1, last: 1, pages: bigPages };
  const ofOthers = { userId, first: 2, last: suites, pages };
  await db.raw(SUITE_ROWS, { userId, suites });
  await db.raw('update test_suites set last_run_number = ?', [runs]);
  if (neighbors > 0) await insertNeighbors(db, neighbors);
  await db.raw('insert into suite_follows (user_id, test_suite_id) select user_id, id from test_suites');
  for (const some of [ofBig, ofOthers]) await db.raw(PAGE_ROWS, some);
  await db.raw(RUN_ROWS, { userId, suites, runs, results, bigResults, config });
  await db.raw(RESULT_ROWS, ofBig);
  for (let first = 2; first <= runs; first += 1_000) {
    await db.raw(RESULT_ROWS, { first, last: Math.min(runs, first + 999), pages: results / 2 });
  }
  await db.raw(STATE_ROWS);
  await db.raw(CHANGE_ROWS);
  for (const some of [ofBig, ofOthers]) await db.raw(VERSION_ROWS, some);
  await db.raw(BASELINE_ROWS);
  await db.raw(LOG_ROWS, { runs, lines, bigResults });
}

const idOf = async (db, text) => (await db.raw(`select ${uuid('?')} as id`, [text])).rows[0].id;

/** What the measured addresses are about. `suite` has a run `run` of 100 results. */
export async function readTargets(db) {
  const [bigSuite, bigRun, suite, run, result, busy] = await Promise.all(
    ['suite 1', 'run 1', 'suite 6', 'run 5', 'result 5 3', 'run 101'].map((text) => idOf(db, text)),
  );
  const page = (await db('site_pages').where({ test_suite_id: bigSuite }).first('id')).id;
  const change = (await db('result_changes').where({ test_run_id: run }).first('change_key as key')).key;
  return { bigSuite, bigRun, suite, run, result, busy, page, change };
}
