import sharp from 'sharp';
import type { Viewer } from '../../src/auth/user.ts';
import { promote } from '../../src/baselines/promote-results.ts';
import { compareImages, type Comparison } from '../../src/compare/compare-images.ts';
import { CLOCK } from '../../src/events/event.ts';
import { savePageStates } from '../../src/runs/page-results/page-state-store.ts';
import type { RunType } from '../../src/runs/run.ts';
import { imageName } from '../../src/storage/object-name.ts';
import { createSuite } from '../../src/suites/suite-life.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import type { TestApi } from '../support/api-client.ts';
import { numberRuns } from '../support/number-runs.ts';

/** Must be escaped wherever it is shown: in a title, a branch, a note, an error. */
export const HOSTILE = `<script>alert(1)</script>"'>`;

const VIEWPORT = { name: 'desktop', width: 1280, height: 800 };

type Size = { width: number; height: number };

/** Work on images that tests ask for again and again is done once, by what it is done with. */
function once<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const done = new Map<string, Promise<T>>();
  return async (key, work) => {
    const doing = done.get(key) ?? work();
    done.set(key, doing);
    return doing;
  };
}

const painted = once<Buffer>();
const comparisons = once<Comparison>();

/** Blocks that look like lines of text. Changed lines have another color. */
export async function paint(size: Size, changes: { x: number; y: number }[] = []): Promise<Buffer> {
  return painted(JSON.stringify([size, changes]), async () => paintLines(size, changes));
}

async function paintLines({ width, height }: Size, changes: { x: number; y: number }[]): Promise<Buffer> {
  const lines = Array.from({ length: Math.floor(height / 60) }, (_, at) => {
    const shade = ['#d0d7de', '#afb8c1', '#8c959f'][at % 3];
    return `<rect x="60" y="${at * 60 + 20}" width="${width / 2 + ((at * 97) % 300)}" height="24" fill="${shade}"/>`;
  });
  const marks = changes.map(({ x, y }) => `<rect x="${x}" y="${y}" width="180" height="60" fill="#cf222e"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${lines.join('')}${marks.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer();
}

/** The same lines below a box that is `inserted` px high. */
export async function paintBelow(size: Size, inserted: number): Promise<Buffer> {
  return sharp(await paint(size))
    .extend({ top: inserted, background: '#0969da' })
    .png()
    .toBuffer();
}

async function keep({ ctx }: TestApi, suite: SuiteForViewer, png: Buffer): Promise<string> {
  const name = imageName(suite.id, sha256Of(png));
  await ctx.storage.put(name, png);
  return name;
}

/** A suite with one viewport, and a tracked page for each path. */
export async function suiteOf({ ctx }: TestApi, owner: Viewer, paths: string[]): Promise<SuiteForViewer> {
  const input = { name: `Site ${HOSTILE}`, baseUrl: 'http://site.test', config: { viewports: [VIEWPORT] } };
  const suite = await createSuite(ctx, owner, input);
  await ctx.db('site_pages').insert(
    paths.map((path) => ({
      test_suite_id: suite.id,
      owner_id: suite.userId,
      path,
      title: HOSTILE,
      tracked: true,
    })),
  );
  return suite;
}

export const pageId = async ({ ctx }: TestApi, suite: { id: string }, path: string): Promise<string> =>
  ctx
    .db('site_pages')
    .where({ test_suite_id: suite.id, path })
    .first('id')
    .then(({ id }) => id);

/** Adds the next version of a page's baseline. */
export async function version(
  api: TestApi,
  suite: SuiteForViewer,
  path: string,
  png: Buffer,
  said: { by?: string; note?: string; diff?: number } = {},
): Promise<{ id: string; file: string }> {
  const file = await keep(api, suite, png);
  const earlier = await api.ctx.db('baseline_versions').where({ test_suite_id: suite.id, path }).first('id');
  const [made] = await promote(
    api.ctx.db,
    suite,
    [
      {
        path,
        viewport: VIEWPORT.name,
        filePath: file,
        source: earlier === null ? 'INITIAL' : 'MANUAL',
        approvedById: said.by ?? null,
        testRunId: null,
        pageResultId: null,
        diffScore: said.diff ?? null,
        comparedVersionId: null,
        prNumber: null,
        note: said.note ?? null,
        captureEngine: null,
        compareEngine: null,
        atRest: true,
        captureWay: null,
        elementsFile: null,
        manifestFile: null,
        heardFile: null,
      },
    ],
    CLOCK,
  );
  if (made === undefined) throw new Error('No version was made');
  return { id: made.id, file };
}

type Screenshots = {
  baseline?: Buffer;
  current?: Buffer;
  error?: string;
  /** The difference is within the failure threshold, so the result passed. */
  within?: boolean;
};

async function resultRow(api: TestApi, suite: SuiteForViewer, path: string, screenshots: Screenshots) {
  const { baseline, current, error, within = false } = screenshots;
  if (error !== undefined || current === undefined) return { status: error === undefined ? 'PENDING' : 'ERROR', error };
  const current_file = await keep(api, suite, current);
  if (baseline === undefined) return { status: 'PASS', is_new: true, current_file };
  const { id, file } = await version(api, suite, path, baseline);
  const compared = await comparisons([baseline, current].map(sha256Of).join(' '), async () =>
    compareImages(baseline, current, { threshold: 0.1 }),
  );
  const { aligned, diffImage, diffPercentage, moves, regions } = compared;
  return {
    status: diffPercentage > 0 && !within ? 'FAIL' : 'PASS',
    current_file,
    baseline_file: file,
    baseline_version_id: id,
    diff_file: diffImage === null ? null : await keep(api, suite, diffImage),
    diff_score: diffPercentage,
    diff_regions: JSON.stringify(regions),
    moves: JSON.stringify(moves),
    aligned_baseline_file: aligned === null ? null : await keep(api, suite, aligned.baseline),
    aligned_current_file: aligned === null ? null : await keep(api, suite, aligned.current),
  };
}

/** A finished run with these results by path. Its rows are written directly to the database. */
export async function reviewRun(
  api: TestApi,
  suite: SuiteForViewer,
  screenshots: Record<string, Screenshots>,
  columns: { run_type?: RunType } & Record<string, unknown> = {},
): Promise<{ id: string; results: Record<string, string> }> {
  const { db } = api.ctx;
  const [run] = await db('test_runs')
    .insert(
      await numberRuns(db, [
        {
          test_suite_id: suite.id,
          run_type: 'BRANCH',
          status: 'COMPLETED',
          review_state: 'PENDING',
          target_base_url: suite.baseUrl,
          config: JSON.stringify(suite.config),
          started_at: new Date(),
          ended_at: new Date(),
          git_branch: `new/menu ${HOSTILE}`,
          total_results: Object.keys(screenshots).length,
          ...columns,
        },
      ]),
    )
    .returning<{ id: string }[]>('id');
  if (run === undefined) throw new Error('No run was inserted');
  const results: Record<string, string> = {};
  for (const [position, [path, said]] of Object.entries(screenshots).entries()) {
    const row = await resultRow(api, suite, path, said);
    const url = suite.origin + path;
    const common = { test_run_id: run.id, position, url, path, viewport: VIEWPORT.name };
    const [inserted] = await db('page_results')
      .insert({ ...common, ...row })
      .returning<{ id: string }[]>('id');
    results[path] = inserted?.id ?? '';
  }
  await savePageStates(db, run.id);
  return { id: run.id, results };
}
