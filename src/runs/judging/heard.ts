import { cutText } from '../../elements/element-change.ts';
import type { MapPair } from '../../elements/element-map.ts';
import { findHeardDifferences, type HeardDifference } from '../../elements/heard/find-heard-differences.ts';
import { decodeHeard } from '../../elements/heard/heard-tree.ts';
import { placeHeard } from '../../elements/heard/place-heard.ts';
import { formatCount } from '../../text/format.ts';
import { sha256Of } from '../../text/sha256.ts';
import type { FoundChange, PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import { readDecoded, type ReadContext } from './element-maps.ts';

/**
 * How what assistive technology hears differs from the baseline. `holds`: that needs a review (docs/rules.md,
 * Verdicts).
 */
export type HeardFinding = { differences: HeardDifference[]; holds: boolean };

const NOTHING_HEARD: HeardFinding = { differences: [], holds: false };

const readHeard = async (ctx: ReadContext, file: string) =>
  readDecoded(ctx, file, 'an accessibility tree', decodeHeard);

/** Null: one of them is not known. */
async function compareHeard(
  ctx: ReadContext,
  before: string | null,
  after: string | null,
): Promise<HeardDifference[] | null> {
  if (before === null || after === null) return null;
  if (before === after) return [];
  const [one, other] = [await readHeard(ctx, before), await readHeard(ctx, after)];
  return one === null || other === null ? null : findHeardDifferences(one, other);
}

/** If the suite's own site looks like the baseline, assistive technology is told the same about both. */
const heardOnSite = ({ controlFile, baselineFile, controlHeardFile }: PageResult) =>
  controlFile === baselineFile ? controlHeardFile : null;

/** @param baselineHeard of the version that the result is compared with */
export async function findHeard(
  ctx: ReadContext,
  { config }: Pick<Run, 'config'>,
  result: PageResult,
  baselineHeard: string | null,
): Promise<HeardFinding> {
  if (config.accessibility === 'off') return NOTHING_HEARD;
  const differences = (await compareHeard(ctx, baselineHeard ?? heardOnSite(result), result.heardFile)) ?? [];
  return { differences, holds: config.accessibilityGate && differences.length > 0 };
}

/** Whether another page that looks the same also tells assistive technology the same, as far as that matters. */
export async function soundsLike(
  ctx: ReadContext,
  { holds }: HeardFinding,
  result: Pick<PageResult, 'heardFile'>,
  file: string | null,
): Promise<boolean> {
  return !holds || (await compareHeard(ctx, file, result.heardFile))?.length === 0;
}

function hashKeys(differences: HeardDifference[]): string {
  const keys = differences.map(({ key }) => key).toSorted();
  return sha256Of(keys.join(' ')).slice(0, 32);
}

/** Null if they hold nothing. */
export const heardKey = ({ differences, holds }: HeardFinding): string | null => (holds ? hashKeys(differences) : null);

/** More are not listed for a page. */
const MOST = 100;

/** As one, so that nobody approves them with another one. */
function joinRest(rest: HeardDifference[]): HeardDifference {
  const after = cutText(rest.map(({ part, what }) => `${part} ${what}`).join(', '));
  const what = `has ${formatCount(rest.length, 'other difference')}`;
  return { key: hashKeys(rest), part: 'page', what, before: null, after, was: null, is: null };
}

export function toChanges({ differences, holds }: HeardFinding, maps: MapPair): FoundChange[] {
  const listed =
    differences.length <= MOST
      ? differences
      : [...differences.slice(0, MOST - 1), joinRest(differences.slice(MOST - 1))];
  return listed.map((difference) => ({
    key: difference.key,
    kind: 'ACCESSIBILITY',
    element: difference.part,
    summary: difference.what,
    before: difference.before,
    after: difference.after,
    ...placeHeard(difference, maps),
    faint: false,
    drift: false,
    informs: !holds,
    picture: difference.key,
  }));
}
