import type { Baseline } from '../../baselines/baseline.ts';
import type { Capture } from '../../capture/browser/browser.ts';
import type { CaptureRequest } from '../../capture/browser/capture-request.ts';
import type { WorkerContext } from '../../context.ts';
import { inputsOfManifest, manifestName } from '../../storage/object-name.ts';
import type { SiteVisit } from '../../suites/site-access/visit-site.ts';
import { sha256Of } from '../../text/sha256.ts';
import type { PageResult } from '../results/result.ts';
import type { Run, RunTarget } from '../run.ts';
import {
  decodeManifest,
  encodeManifest,
  hashInputs,
  hashSettings,
  isKnownEngine,
  protocolOf,
  type Inputs,
  type Manifest,
} from './manifest.ts';

type Visit = (url: string) => Promise<Pick<SiteVisit, 'revision'>>;

/** The revision of the site access for this address. Null: nothing is sent. */
export async function findAccess({ buildId }: Run, visit: Visit, url: string): Promise<string | null> {
  return buildId === null ? (await visit(url)).revision : null;
}

export async function readManifest(
  { storage }: Pick<WorkerContext, 'storage'>,
  file: string | null,
): Promise<Manifest | null> {
  const stored = file === null ? null : await storage.get(file);
  return stored === null ? null : decodeManifest(stored);
}

async function makeInputs(run: Run, visit: Visit, page: PageResult, engine: string): Promise<Inputs> {
  const access = await findAccess(run, visit, page.url);
  return { engine, settings: hashSettings(run, page), protocol: protocolOf(page.url), access };
}

const isRecorded = ({ config }: Run, { baseState, leftOut }: PageResult) =>
  config.reuseUnchanged !== 'off' && baseState !== 'DUE' && !leftOut;

/**
 * Whether the capture of a page records what it is made of: if it may become a version, or the baseline has no
 * manifest.
 */
export async function chooseRecording(
  ctx: WorkerContext,
  run: Run,
  { page, baseline, target, visit }: { page: PageResult; baseline: Baseline | null; target: RunTarget; visit: Visit },
): Promise<Pick<CaptureRequest, 'records'>> {
  const engine = await ctx.browser.engine();
  if (!isRecorded(run, page) || !isKnownEngine(engine)) return {};
  const known = inputsOfManifest(baseline?.manifestFile ?? '');
  const always = known === null || known !== hashInputs(await makeInputs(run, visit, page, engine));
  return { records: { places: { base: target.base, site: target.site }, always } };
}

/** The only problem that is reproducible: without scripts, a missing element is always missing. */
const STEADY = new Set(['element_missing']);

/** Why a screenshot itself is no reference for proofs. */
function* findFlaws({ stability, atRest, cut, way, warnings }: Capture): Generator<string> {
  for (const { code } of warnings) if (!STEADY.has(code)) yield `the warning ${code}`;
  if (stability === 'UNSTABLE') yield 'the page is unstable';
  if (!atRest) yield 'the page was not at rest';
  if (cut) yield 'the page is longer than its screenshot';
  if (way.clock === 'stopped') yield 'the page was captured with its clock stopped';
  if (way.late.length > 0) yield 'the page changes later';
}

/** Stores what a page was made of when it was captured. @returns the object's name; null when that was not recorded. */
export async function storeManifest(
  ctx: WorkerContext,
  { run, visit }: { run: Run; visit: Visit },
  page: PageResult,
  capture: Capture,
): Promise<string | null> {
  const { recorded, engine } = capture;
  if (recorded === undefined || recorded === null) return null;
  const obstacles = [...recorded.obstacles, ...findFlaws(capture)];
  const inputs = await makeInputs(run, visit, page, engine);
  const exchanges = obstacles.length === 0 ? recorded.exchanges : [];
  const bytes = encodeManifest({ ...inputs, exchanges, literal: recorded.literal, obstacles });
  const name = manifestName(run.testSuiteId, sha256Of(bytes), hashInputs(inputs));
  await ctx.storage.put(name, bytes);
  return name;
}
