import type { Knex } from 'knex';
import type { RestClient } from '../../support/rest-client.ts';

const PROBLEM = 'The page responded with status 502 (Bad Gateway)';

/** A run that no worker takes. */
async function start(api: RestClient, suiteId: string): Promise<string> {
  return (await api.call('POST', `/test-suites/${suiteId}/run`, { runType: 'MANUAL' }, 202)).testRunId;
}

/** Results as a worker would settle them, from the first one on. */
async function settle(db: Knex, runId: string, count: number, columns: Record<string, unknown>): Promise<void> {
  const ids = db('page_results').where({ test_run_id: runId, status: 'PENDING' }).orderBy('position').limit(count);
  await db('page_results').whereIn('id', ids.select('id')).update(columns);
}

async function pass(db: Knex, runId: string, count: number): Promise<void> {
  const current = db('baselines')
    .where({ test_suite_id: db('test_runs').where({ id: runId }).select('test_suite_id') })
    .where({ path: db.ref('page_results.path'), viewport: db.ref('page_results.viewport') })
    .limit(1)
    .select('file_path');
  await settle(db, runId, count, { status: 'PASS', diff_score: 0, current_file: current });
}

/** Ended by hand, with what is left cancelled. */
async function end(db: Knex, runId: string, columns: Record<string, unknown>): Promise<void> {
  await settle(db, runId, 1000, { status: 'CANCELLED' });
  await db('test_runs')
    .where({ id: runId })
    .update({ ended_at: new Date(), ...columns });
}

/** A pull request that loosens what judges it, and whose preview may be the site. */
async function doubt(db: Knex, runId: string): Promise<string> {
  const loosens = { effect: 'LOOSENS', applies: 'NOW', pages: null, paths: [], viewports: [] };
  const ignored = { before: null, after: '#prices .amount-per-night-and-person', pages: 12 };
  const differences = [
    { ...loosens, field: 'failureThreshold', before: '0.01', after: '5' },
    { ...loosens, field: 'rules.ignore', ...ignored, paths: ['/prices', '/cabins'], viewports: ['desktop'] },
    { ...loosens, field: 'maxPages', before: '100', after: '500', effect: 'NEUTRAL', applies: 'AFTER_MERGE' },
  ];
  const { config } = await db('test_runs').where({ id: runId }).first('config');
  await db('settings_changes').insert({
    test_run_id: runId,
    differences: JSON.stringify(differences),
    own: JSON.stringify({ config: {}, file: [] }),
    base_config: JSON.stringify(config),
  });
  await db('test_runs').where({ id: runId }).update({ settings_hash: 'a1b2', review_state: 'PENDING' });
  const results = db('page_results').where({ test_run_id: runId });
  await results.clone().update({ base_status: 'PASS', base_score: 0 });
  const { id } = await results.clone().where({ status: 'FAIL' }).first('id');
  await results.clone().where({ id }).update({ base_status: 'FAIL', base_score: 12.5, servers: 'MAYBE_ONE' });
  return String(id);
}

/** States in which a page is only for a moment, or only after an accident. */
export async function addStates(
  api: RestClient,
  db: Knex,
  { demo, site, pullRequestRun }: { demo: string; site: string; pullRequestRun: string },
) {
  const errorRun = await start(api, demo);
  await settle(db, errorRun, 2, { status: 'ERROR', error: PROBLEM });
  await pass(db, errorRun, 1000);
  await end(db, errorRun, { status: 'COMPLETED' });
  const broken = await db('page_results').where({ test_run_id: errorRun, status: 'ERROR' }).first('id');

  const failedRun = await start(api, demo);
  await settle(db, failedRun, 1000, { status: 'ERROR', error: PROBLEM });
  await end(db, failedRun, { status: 'FAILED', metadata: JSON.stringify({ error: 'Every page failed' }) });

  // The suite's latest result is an ordinary one.
  const calmRun = await start(api, demo);
  await pass(db, calmRun, 1000);
  await end(db, calmRun, { status: 'COMPLETED' });

  const cancelledRun = await start(api, demo);
  await pass(db, cancelledRun, 5);
  await api.call('PATCH', `/test-runs/${cancelledRun}`, { action: 'cancel' });

  const halfDoneRun = await start(api, demo);
  await pass(db, halfDoneRun, 9);
  await db('test_runs').where({ id: halfDoneRun }).update({ status: 'RUNNING' });
  const waitingRun = await start(api, demo);

  const input = { name: 'Docs', baseUrl: site, crawl: true };
  const { id: fresh } = await api.call('POST', '/test-suites', input, 201);
  await api.call('POST', '/tokens', { name: 'Laptop', expiresInDays: 30 }, 201);
  await api.call('POST', `/test-suites/${demo}/tokens`, { name: 'Docs CI', scopes: ['run', 'read'] }, 201);
  await api.call('PUT', `/test-suites/${demo}/site-access`, {
    basic: { username: 'staging', password: 'lantern' },
    previewHosts: ['*.preview.example.com'],
  });
  return {
    errorRun,
    broken: String(broken?.id),
    failedRun,
    cancelledRun,
    halfDoneRun,
    waitingRun,
    doubted: await doubt(db, pullRequestRun),
    fresh: String(fresh),
  };
}
