import { randomNumbers } from '../compare/random-images.ts';
import { mayCommit, type Fate, type Statement } from '../support/database-proxy.ts';
import { PARTS, type KeptService, type Part } from './kept-service.ts';

/** Of the life of a pull request: what has just happened, in this order. */
export const STEPS = [
  'the webhook is taken',
  'the check awaits a preview',
  'the preview is announced',
  'a page is being captured',
  'the page has loaded',
  'the check asks for a review',
  'the approval is taken',
  'the check is green',
  'the merge is taken',
  'the merge is a version',
] as const;
export type Step = (typeof STEPS)[number];

/** When to kill. A statement is counted from the kill before it. */
export type Moment =
  | { at: 'step'; step: Step }
  | { at: 'statement'; is: (part: Part, statement: Statement) => boolean; nth: number; fate: Fate }
  | { at: 'time'; ms: number };

export type Kill = { moment: Moment; parts: readonly Part[] };

export type KillPlan = {
  reach(step: Step): void;
  /** Of the kills, those that came to be. */
  done: number;
  /** From now on nothing is killed. */
  stop(): void;
};

/** Looks for jobs, and signs of life: more of them than of all else. */
const isIdle = ({ sql }: Statement) => /is_available|^select true as yes/.test(sql);

const isWork = (_: Part, statement: Statement) => !isIdle(statement);
const isCommit = (part: Part, statement: Statement) => isWork(part, statement) && mayCommit(statement);

/** Kills the service at these moments, one after the other. */
export function followPlan(service: KeptService, kills: readonly Kill[]): KillPlan {
  const plan: KillPlan = { reach, stop, done: 0 };
  let counted = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const next = () => (isOver ? undefined : kills[plan.done]);

  function strike({ parts }: Kill, when: string): void {
    console.log(`${parts.join(' and ')} killed: ${when}`);
    service.kill(parts);
    plan.done += 1;
    prepare();
  }
  function prepare(): void {
    counted = 0;
    const kill = next();
    if (kill?.moment.at !== 'time') return;
    const { ms } = kill.moment;
    timer = setTimeout(() => strike(kill, `after ${ms} ms`), ms);
  }
  function reach(step: Step): void {
    const kill = next();
    if (kill?.moment.at === 'step' && kill.moment.step === step) strike(kill, step);
  }
  function stop(): void {
    isOver = true;
    clearTimeout(timer);
  }
  service.decide = (part, statement) => {
    const kill = next();
    if (kill?.moment.at !== 'statement' || !kill.moment.is(part, statement)) return 'pass';
    const { nth, fate } = kill.moment;
    counted += 1;
    if (counted < nth) return 'pass';
    strike(kill, `statement ${nth} (${fate}), of the ${part}: ${statement.sql.trim().slice(0, 100)}`);
    return kill.parts.includes(part) ? fate : 'pass';
  };
  prepare();
  return plan;
}

const AT_ONCE: readonly (readonly Part[])[] = [PARTS, ['web'], ['worker']];
/** A life has 320 statements, 55 of which commit something, and takes 3.4 s where nothing else runs. */
const HALF = { statements: 160, commits: 27, ms: 1_700 };

/** Kills at random moments, the same for the same seed. The first is in the first half of the life. */
export function randomKills(seed: number, most: number): Kill[] {
  const random = randomNumbers(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const newMoment = (): Moment => {
    const kind = below(3);
    if (kind === 0) return { at: 'time', ms: below(HALF.ms) };
    const fate: Fate = below(2) === 0 ? 'lost' : 'unanswered';
    return kind === 1
      ? { at: 'statement', is: isWork, nth: 1 + below(HALF.statements), fate }
      : { at: 'statement', is: isCommit, nth: 1 + below(HALF.commits), fate };
  };
  return Array.from({ length: 1 + below(most) }, () => ({
    moment: newMoment(),
    parts: AT_ONCE[below(AT_ONCE.length)] ?? PARTS,
  }));
}
