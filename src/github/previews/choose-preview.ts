import { nameBase } from '../../net/site-base.ts';
import type {
  NamedSignal,
  PreviewRules,
  PreviewSearch,
  SignalKey,
} from '../../pull-requests/previews/preview-search.ts';
import type { PullRequestHead } from '../../pull-requests/pull-request-run.ts';
import type { SuiteSettings } from '../../suites/config-file/config-file.ts';
import { fillTemplate, matchesName, namesSignals, type PreviewMatcher } from '../../suites/config/preview-matcher.ts';
import type { Suite } from '../../suites/suite.ts';
import type { SeenSignal } from './signal-store.ts';
import { isOfPreview, type HeardSignal } from './signal.ts';

/** What decides which preview of a commit is a suite's. */
export type PreviewQuestion = PreviewRules & {
  /** All of the commit. */
  signals: SeenSignal[];
  /** Previews of other projects that other pull requests of the repository have, but this commit lacks. */
  others: NamedSignal[];
};

/** `announcedAt`: when the host announced the preview. Null: it did not. */
export type ChosenPreview = { address: string; announcedAt: Date | null; signal: SeenSignal | null };

export type PreviewChoice =
  | { kind: 'found'; preview: ChosenPreview }
  | { kind: 'several'; candidates: NamedSignal[] }
  | { kind: 'will_not_come'; signal: SeenSignal }
  | { kind: 'waiting' };

const WAITING: PreviewChoice = { kind: 'waiting' };
const MOST_NAMED = 20;

/**
 * Whether the suite's settings name the signal. Vercel's report of a skipped build is matched like its deployment would
 * be.
 */
export function isNamed({ environment, context, check }: PreviewMatcher, { source, name }: SignalKey): boolean {
  switch (source) {
    case 'DEPLOYMENT':
      return matchesName(environment, name);
    case 'DISPATCH':
      return matchesName(environment, name) || matchesName(environment, 'Preview');
    case 'STATUS':
      return matchesName(context, name);
    case 'CHECK':
      return matchesName(check, name);
  }
}

/** Vercel reports a build twice if it creates a deployment for it. */
function isToldTwice(signal: SeenSignal, all: SeenSignal[]): boolean {
  return (
    signal.source === 'DISPATCH' &&
    all.some(
      ({ source, host, project }) =>
        source === 'DEPLOYMENT' && host === signal.host && (project === '' || project === signal.project),
    )
  );
}

const isReady = ({ readyKey }: SeenSignal) => readyKey !== null;
const hasEnded = (signal: SeenSignal) => !isReady(signal) && signal.state !== 'PENDING';

function hostOf(url: string | null): string | null {
  return url === null ? null : new URL(url).host;
}

const placeOf = ({ url }: SeenSignal) => (url === null ? null : nameBase(url));

/** The previews without those that lead to the same place as an earlier one. */
function distinct(signals: SeenSignal[]): SeenSignal[] {
  return signals.filter(
    ({ url }, index) => url === null || signals.findIndex((other) => placeOf(other) === nameBase(url)) === index,
  );
}

/**
 * The signals that the settings name. If they name only an address, none. Without settings, all signals of previews.
 */
function candidatesOf({ matcher, signals }: PreviewQuestion): SeenSignal[] {
  if (matcher !== null && !namesSignals(matcher)) return [];
  const fitting = signals.filter((signal) => (matcher === null ? isOfPreview(signal) : isNamed(matcher, signal)));
  const all = distinct(fitting.filter((signal) => !isToldTwice(signal, fitting)));
  // If the settings name several signals, all are the suite's. Those that failed leave the choice to the others.
  return matcher === null || all.every(hasEnded) ? all : all.filter((signal) => !hasEnded(signal));
}

export const toNamed = ({ source, name, project, url, link }: SeenSignal): NamedSignal => ({
  source,
  name,
  project,
  link: url ?? link,
});

/** The template's address. A signal from its host says that it is up. */
function atTemplate(address: string, signals: SeenSignal[]): PreviewChoice {
  const announced = signals.find((each) => isReady(each) && hostOf(each.url) === hostOf(address));
  return { kind: 'found', preview: { address, announcedAt: announced?.updatedAt ?? null, signal: announced ?? null } };
}

function decideOne(signal: SeenSignal, template: string | null): PreviewChoice {
  if (!isReady(signal)) return hasEnded(signal) ? { kind: 'will_not_come', signal } : WAITING;
  const address = signal.url ?? template;
  return address === null ? WAITING : { kind: 'found', preview: { address, announcedAt: signal.updatedAt, signal } };
}

/** If the repository names a fallback address, only previews that are up take precedence over it. */
function decideWithFallback(candidates: SeenSignal[], fallback: string, signals: SeenSignal[]): PreviewChoice {
  const ready = candidates.filter((each) => isReady(each) && each.url !== null);
  const [first] = ready;
  return first !== undefined && ready.length === 1 ? decideOne(first, null) : atTemplate(fallback, signals);
}

/**
 * Which preview of a commit is the suite's (docs/rules.md, Pull requests): the one that its settings name, or else the
 * only one. Where several fit and nothing tells them apart, none is taken. Pure.
 */
export function choosePreview(question: PreviewQuestion): PreviewChoice {
  const { matcher, fallback, signals, others } = question;
  const candidates = candidatesOf(question);
  if (matcher === null && fallback !== null) return decideWithFallback(candidates, fallback, signals);
  const [first] = candidates;
  if (first === undefined) {
    const template = matcher !== null && !namesSignals(matcher) ? matcher.url : null;
    return template === null ? WAITING : atTemplate(template, signals);
  }
  if (matcher !== null && candidates.every(hasEnded)) return { kind: 'will_not_come', signal: worst(candidates) };
  const fitting = [...candidates.map(toNamed), ...(matcher === null ? others : [])];
  if (fitting.length > 1) return { kind: 'several', candidates: fitting.slice(0, MOST_NAMED) };
  return decideOne(first, matcher?.url ?? null);
}

/** Among signals that have all ended, one that failed, if any. */
function worst(signals: SeenSignal[]): SeenSignal {
  const found = signals.find(({ state }) => state === 'FAILED') ?? signals[0];
  if (found === undefined) throw new Error('No signals to choose from');
  return found;
}

/**
 * Whether a signal can change the outcome of a search. Most statuses and checks of a commit are of tests, and can't. Pure.
 */
export function isConcerned({ matcher, fallback }: PreviewRules, signal: HeardSignal): boolean {
  if (signal.source === 'DEPLOYMENT' || isOfPreview(signal) || (matcher !== null && isNamed(matcher, signal)))
    return true;
  return signal.url !== null && [hostOf(matcher?.url ?? null), hostOf(fallback)].includes(hostOf(signal.url));
}

/**
 * The rules that identify a suite's preview of a head, with the addresses filled in. The repository's file comes before
 * the suite's settings. Null for `file`: it has not been read. Pure.
 */
export function rulesFor(
  { config }: Pick<Suite, 'config'>,
  file: Pick<SuiteSettings, 'preview' | 'previewUrl'> | null,
  { number, headBranch, headSha }: Pick<PullRequestHead, 'number' | 'headBranch' | 'headSha'>,
): PreviewRules {
  const fill = (template: string | null | undefined) =>
    template === null || template === undefined
      ? null
      : fillTemplate(template, { number, branch: headBranch, sha: headSha });
  const matcher = file?.preview ?? config.preview;
  return {
    matcher: matcher === null ? null : { ...matcher, url: fill(matcher.url) },
    fallback: fill(file?.previewUrl),
  };
}

/** What the run stores about a choice, besides the rules that led to it. Pure. */
export function remember(choice: PreviewChoice): Pick<PreviewSearch, 'used' | 'candidates' | 'failed'> {
  const signal = choice.kind === 'found' ? choice.preview.signal : null;
  const used =
    signal === null || signal.readyKey === null
      ? null
      : { source: signal.source, name: signal.name, project: signal.project, readyKey: signal.readyKey };
  return {
    used,
    candidates: choice.kind === 'several' ? choice.candidates : [],
    failed: choice.kind === 'will_not_come' ? toNamed(choice.signal) : null,
  };
}
