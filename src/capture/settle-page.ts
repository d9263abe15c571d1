import type { Found } from './capture-in-context.ts';
import { searchIn, unlessFailed, type LookAgain, type Session } from './capture-session.ts';

/** `alsoSeen`: the screenshots of settled loads, except the last one. */
type Confirmed = Found & { differs: boolean; alsoSeen: string[] };

/**
 * What most loads of the page show: the first and second, or else one of them and a third. Chromium sometimes draws a
 * load differently, which would cause false alarms for as long as it is the baseline.
 */
async function confirm(first: Found, baseline: string[], look: LookAgain): Promise<Confirmed> {
  const repeats = first.by === 'repetition';
  const wanted = repeats ? [...baseline, first.shot.sha256] : baseline;
  const second = await look({ wanted, last: !repeats });
  if (!repeats) return { ...second, differs: second.by === 'repetition', alsoSeen: [] };
  const others = (last: Found, before: Found[]) =>
    last.by === 'nothing' ? [] : before.map(({ shot }) => shot.sha256).filter((sha256) => sha256 !== last.shot.sha256);
  if (second.by !== 'repetition') return { ...second, differs: false, alsoSeen: others(second, [first]) };
  const third = await look({ wanted: [...wanted, second.shot.sha256] });
  return { ...third, differs: third.by === 'repetition', alsoSeen: others(third, [first, second]) };
}

const TWO_LAYOUTS = 'The page has two layouts: it looked different when it was loaded again';

const STOPPED = 'The page kept changing, so it was captured with its clock stopped';

export type Believed = Found & { still: boolean; alsoSeen: string[] };

/**
 * Captures the page with its clock running, unless the baseline was taken with a stopped one. A page that never stands
 * still is captured with its clock stopped.
 */
async function findBelieved({ request, warnings, seen }: Session, look: LookAgain): Promise<Believed> {
  const stopped = async () => {
    const held = await unlessFailed(look({ last: false, still: true }));
    return held === null || held.by === 'nothing' ? null : { ...held, still: true, alsoSeen: [] };
  };
  const asBaseline = request.baseline?.way?.clock === 'stopped';
  const held = asBaseline ? await stopped() : null;
  if (held !== null) return held;
  // A new page has no baseline to compare with, only the first look: equal bytes are enough.
  const isSeen = request.baseline === null && seen?.by === 'repetition' && seen.shot.unrest === null;
  const again = isSeen && !seen.shot.isStill ? { early: true, known: [seen.shot.sha256] } : { early: seen === null };
  const running = { ...(await look({ ...again, last: false })), still: false, alsoSeen: [] };
  if (running.by !== 'nothing' || asBaseline) return running;
  const { early } = running;
  const late = await stopped();
  if (late === null) return running;
  warnings.add('clock_stopped', STOPPED);
  return { ...late, early };
}

/** A screenshot that differs from the baseline is accepted if another load of the page shows the same. */
async function confirmBelieved(session: Session, look: LookAgain, found: Believed): Promise<Believed> {
  const { request, warnings } = session;
  const baseline = request.baseline === null ? [] : [request.baseline.sha256];
  const seeds = request.baseline === null;
  if (found.by === 'wanted' || (found.by === 'nothing' && seeds)) return found;
  const { still, early, shot } = found;
  const known = request.baseline?.atRest === true ? baseline : [];
  const { differs, ...confirmed } = await confirm(found, baseline, async (changes) =>
    look({
      still,
      early: seeds && !still,
      known: shot.unrest === null ? [...known, shot.sha256] : known,
      ...changes,
    }),
  );
  if (differs) warnings.add('unstable', 'The page looks different each time it is loaded');
  else if (confirmed.alsoSeen.length > 0) {
    warnings.add('unstable', TWO_LAYOUTS);
  }
  return { ...confirmed, still, early };
}

export async function settlePage(session: Session): Promise<Believed> {
  const { seen, warnings } = session;
  if (seen?.by === 'wanted') return { ...seen, still: false, alsoSeen: [] };
  const look = searchIn(session);
  const believed = await confirmBelieved(session, look, await findBelieved(session, look));
  const { sha256 } = believed.shot;
  if (seen?.shot.isStill !== true || seen.shot.sha256 === sha256 || believed.by === 'nothing') return believed;
  warnings.add('unstable', TWO_LAYOUTS);
  return { ...believed, alsoSeen: [...new Set([...believed.alsoSeen, seen.shot.sha256])] };
}
