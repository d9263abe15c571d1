import type { PreviewMatcher } from '../../suites/config/preview-matcher.ts';

export type SignalSource = 'DEPLOYMENT' | 'STATUS' | 'CHECK' | 'DISPATCH';

/** Identifies one of a commit's signals: there is one for each source, name and project. */
export type SignalKey = { source: SignalSource; name: string; project: string };

/** A preview that fits, in words. `link` leads to it, or to a page about it. */
export type NamedSignal = SignalKey & { link: string | null };

/** What says which preview is a suite's. */
export type PreviewRules = {
  /** By the suite's settings and the repository's file. Null: neither says. */
  matcher: PreviewMatcher | null;
  /** The address to use where no signal gives one. Null: the repository names none. */
  fallback: string | null;
};

/** The input and the outcome of a search for the preview of a run. */
export type PreviewSearch = PreviewRules & {
  /** The signal whose preview is used, and which deployment of it. */
  used: (SignalKey & { readyKey: string }) | null;
  /** The previews that fit, when nothing tells them apart; empty otherwise. */
  candidates: NamedSignal[];
  /** The signal that says that the preview will not come. */
  failed: NamedSignal | null;
};

declare module '../../db/json.ts' {
  interface JsonColumns {
    'test_runs.git_preview_search': PreviewSearch;
  }
}

const KINDS: Record<SignalSource, string> = {
  DEPLOYMENT: 'deployment',
  STATUS: 'commit status',
  CHECK: 'check',
  DISPATCH: 'deployment',
};

/** `deployment "Preview – docs"`. */
export const describeSignal = ({ source, name, project }: SignalKey): string =>
  `${KINDS[source]} “${name}”${project === '' || name.includes(project) ? '' : ` (${project})`}`;

/** What was deployed, in short: the project, or else the name of the signal. */
export const deployedName = ({ name, project }: SignalKey): string => (project === '' ? name : project);

/** The title of a check if several previews fit. */
export const whichPreview = (candidates: number): string => `Which preview? ${candidates} deployments fit`;
