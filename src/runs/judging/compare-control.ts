import { hasPromotionSince } from '../../baselines/version-store.ts';
import type { Served } from '../../capture/served/served.ts';
import { ROUNDED } from '../../compare/align/lone.ts';
import type { Comparison } from '../../compare/compare-images.ts';
import type { WorkerContext } from '../../context.ts';
import type { PageChange } from '../../elements/page-change.ts';
import { identifyRegion, overlap, placeOfSpace } from '../../elements/region.ts';
import type { FoundChange, PageResult, StoredRegion } from '../results/result.ts';
import type { Run } from '../run.ts';
import { compareByRules, isOfAnotherEngine, passes } from './compare-by-rules.ts';
import { readMap, type Makings } from './element-maps.ts';
import { soundsLike, type HeardFinding } from './heard.ts';
import { isSaidDifferent } from './say-different-servers.ts';
import { hasAlternated, hasSiteShownBefore, hasToldApart, isStandIn } from './sighting-store.ts';

/** Facts that may also differ between two names of one server. */
const NO_SIGN = new Set(['addresses']);

const hasCommonAddress = (one: Served, other: Served) => {
  const known = new Set((one['addresses'] ?? '').split(', '));
  return (other['addresses'] ?? '').split(', ').some((address) => address !== '' && known.has(address));
};

/**
 * Both have the fact, or it is a header that only one of them has. Facts that change from load to load prove nothing.
 */
function differsIn(name: string, one: Served, other: Served): boolean {
  const [said, otherwise] = [one[name], other[name]];
  if (said === null || otherwise === null || said === otherwise) return false;
  return name.startsWith('header ') || (said !== undefined && otherwise !== undefined);
}

/** What a server delivers, without what it says about itself. */
const CONTENT = ['document', 'assets'];

/**
 * Whether the responses of two servers for the same page show that they are different. Names, addresses and chance
 * prove nothing. At one address, what they say about themselves proves nothing either, only what they deliver.
 */
export function tellApart(one: Served | null, other: Served | null): boolean {
  if (one === null || other === null) return false;
  if (hasCommonAddress(one, other)) return CONTENT.some((name) => differsIn(name, one, other));
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].some((name) => !NO_SIGN.has(name) && differsIn(name, one, other));
}

/** What the current state of the suite's own site says about a difference of its preview. */
export type ControlFindings = {
  /** The site no longer looks like the baseline. */
  drifted: boolean;
  /** All of the difference is drift: the site has it as well. */
  isDrift: boolean;
  /** The differences that the site has as well (`identifyRegion`), if the preview also has changes of its own. */
  driftedRegions: ReadonlySet<string>;
  servers: PageResult['servers'];
  /** The page does not look the same each time, so neither screenshot proves anything about the other. */
  alternates: boolean;
};

/** `differs`: site and preview definitely look different. */
type Seen = Pick<ControlFindings, 'drifted' | 'isDrift' | 'driftedRegions'> & { differs: boolean };

const NOTHING: ReadonlySet<string> = new Set();
const OWN: Seen = { drifted: false, isDrift: false, driftedRegions: NOTHING, differs: true };
const DRIFT: Seen = { drifted: true, isDrift: true, driftedRegions: NOTHING, differs: false };

type Compared = { baseline: Buffer; current: Buffer; makings: Makings; comparison: Comparison; heard: HeardFinding };

/** Whether the preview has space that does not count beside its differences, and that the site does not have as well. */
const hasOwnSpace = (own: Comparison, ofSite: Comparison) =>
  own.filler.some(
    (space) =>
      space.height > ROUNDED &&
      !ofSite.filler.some((known) => placeOfSpace(known) === placeOfSpace(space) && known.height >= space.height),
  );

/**
 * All three differ: differences that the preview shares with the site are drift. If it has all that the site has and still
 * looks different, or has space of its own, it moved something, into space that does not count beside these.
 */
function separate(own: Comparison, ofSite: Comparison): Seen {
  const known = new Set(ofSite.regions.map(identifyRegion));
  const shared = own.regions.map(identifyRegion).filter((each) => known.has(each));
  if (own.regions.length > 0 && shared.length === own.regions.length) {
    const hasMoved = shared.length === known.size || hasOwnSpace(own, ofSite);
    return hasMoved ? { ...OWN, drifted: true } : { ...DRIFT, differs: true };
  }
  return { drifted: true, isDrift: false, driftedRegions: new Set(shared), differs: true };
}

type ControlContext = Pick<WorkerContext, 'db' | 'storage' | 'log' | 'compareImages'>;
/** A result with both of its screenshots. */
export type ComparedResult = PageResult & { baselineFile: string; currentFile: string };

/** Null without a control screenshot. Differences that are not certainly drift are the preview's own. */
async function look(
  ctx: ControlContext,
  run: Run,
  result: ComparedResult,
  { baseline, current, makings, comparison, heard }: Compared,
): Promise<Seen | null> {
  const { controlFile, baselineFile, currentFile, controlHeardFile } = result;
  if (controlFile === null) return null;
  // Only assistive technology hears a difference.
  if (isOnlyHeard(result)) {
    return controlFile === currentFile && (await soundsLike(ctx, heard, result, controlHeardFile)) ? DRIFT : OWN;
  }
  if (controlFile === baselineFile) return OWN;
  if (await hasPromotionSince(ctx.db, run.testSuiteId, { ...result, filePath: controlFile })) {
    return { ...OWN, differs: controlFile !== currentFile };
  }
  if (controlFile === currentFile) return DRIFT;
  const image = await ctx.storage.get(controlFile);
  if (image === null) return null;
  const site = { image, map: await readMap(ctx, result.controlElementsFile) };
  const before = { image: baseline, map: makings.baseline };
  const ofSite = await compareByRules(ctx, run, result, { before, after: site }, { images: false });
  if (passes(run, result, ofSite) || isOfAnotherEngine(result, ofSite, makings.baselineEngine)) {
    return { ...OWN, differs: false };
  }
  const after = { image: current, map: makings.current };
  const left = await compareByRules(ctx, run, result, { before: site, after }, { images: false });
  return passes(run, result, left) ? DRIFT : separate(comparison, ofSite);
}

/** The difference is only heard. Sightings, which record how pages look, don't help then. */
const isOnlyHeard = ({ baselineFile, currentFile }: ComparedResult) => baselineFile === currentFile;

/** Whether anything else than the look of this page shows that the preview is another server than the site. */
async function isElsewhere({ db }: ControlContext, run: Run, result: ComparedResult): Promise<boolean> {
  if (run.buildId !== null) return true;
  if ((await isSaidDifferent(db, run)) || (await hasToldApart(db, run.id))) return true;
  return !isOnlyHeard(result) && hasSiteShownBefore(db, result);
}

/**
 * What the site says about a difference of its preview (docs/rules.md, Verdicts). Null without a control screenshot. A
 * difference that both have is drift if the two are known to be different servers, or if the site had it first.
 * Otherwise they may be one server, which shows the change under two names. One screen in place of several pages is no
 * drift.
 */
export async function compareControl(
  ctx: ControlContext,
  run: Run,
  result: ComparedResult,
  compared: Compared,
): Promise<ControlFindings | null> {
  const seen = await look(ctx, run, result, compared);
  if (seen === null) return null;
  const isOwn =
    seen.isDrift &&
    ((await isStandIn(ctx.db, result)) || !(await soundsLike(ctx, compared.heard, result, result.controlHeardFile)));
  const { differs, ...findings } = isOwn ? { ...seen, isDrift: false } : seen;
  if (result.stability === 'UNSTABLE' || (!isOnlyHeard(result) && (await hasAlternated(ctx.db, result)))) {
    return { ...findings, isDrift: false, driftedRegions: NOTHING, servers: null, alternates: true };
  }
  if (differs || tellApart(result.served, result.controlServed)) {
    return { ...findings, servers: 'DIFFERENT', alternates: false };
  }
  if (!findings.isDrift || (await isElsewhere(ctx, run, result))) {
    return { ...findings, servers: null, alternates: false };
  }
  return { ...findings, isDrift: false, servers: 'MAYBE_ONE', alternates: false };
}

export function markRegions(regions: Comparison['regions'], control: ControlFindings | null): StoredRegion[] {
  const drifted = control?.driftedRegions ?? NOTHING;
  return regions.map((region) => (drifted.has(identifyRegion(region)) ? { ...region, drift: true } : region));
}

/** A change is drift if all differences in its place are. */
export function markChanges(changes: PageChange[], regions: StoredRegion[]): FoundChange[] {
  return changes.map((change) => {
    const its = regions.filter((region) => overlap(region, change.canvasBox) > 0);
    return { ...change, drift: its.length > 0 && its.every(({ drift }) => drift === true), informs: false };
  });
}
