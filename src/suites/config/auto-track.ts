import { z } from 'zod';
import { formatCount } from '../../text/format.ts';
import { setting } from './config-field.ts';
import { wholeNumber, type Kind } from './config-kind.ts';
import { compilePageGlobs, findSkippedViewports, Globs, type PageRule } from './page-rule.ts';

export const AUTO_TRACK_MOST = 10_000;

const Limit = wholeNumber([1, AUTO_TRACK_MOST]).input;
/** Maximum number of globs, because each is matched with every page that a crawl finds. */
const GLOBS_MOST = 50;
const Paths = Globs.min(1, 'must have at least one glob')
  .max(GLOBS_MOST, `must have at most ${GLOBS_MOST} globs`)
  .describe('Globs for the paths of pages: `/blog/**`, `!/blog/tag/**`');
const RULE = 'must be off, all, or an object with paths';

/** Of an object, what is wrong with its first field. */
const explain: z.core.$ZodErrorMap<z.core.$ZodIssueInvalidUnion> = ({ input, errors }) => {
  const [issue] = typeof input === 'object' ? (errors.at(-1) ?? []) : [];
  return issue === undefined || issue.path.length === 0 ? RULE : `${issue.path.join('.')} ${issue.message}`;
};

const All = z.enum(['off', 'all']);
const Value = z.union([All, z.strictObject({ paths: Paths, limit: Limit.nullable() })]);
const Input = z.union([All, z.strictObject({ paths: Paths, limit: Limit.nullish() })], { error: explain });

/** Which of the pages that a crawl finds are tracked automatically. `limit` null: the most pages of a crawl. */
export type AutoTrack = z.output<typeof Value>;
type AutoTrackInput = z.output<typeof Input>;

function show(value: AutoTrack): string {
  if (typeof value === 'string') return value;
  const { paths, limit } = value;
  return paths.join(', ') + (limit === null ? '' : `, at most ${formatCount(limit, 'page')}`);
}

const KIND: Kind<AutoTrack, AutoTrackInput> = {
  value: Value,
  input: Input,
  complete: (set) => (typeof set === 'string' ? set : { paths: set.paths, limit: set.limit ?? null }),
  control: { kind: 'editor', editor: 'autoTrack' },
  bounds: '',
  show,
};

export const TRACKING = {
  autoTrack: setting(KIND, {
    section: 'crawl',
    label: 'Track pages automatically',
    help: 'Which of the pages found by a crawl are tracked, up to the limit. Without a limit, the maximum number of pages applies. Pages that were untracked manually stay untracked. When this is on, the first run starts after the first crawl.',
    default: 'off',
  }),
};

type TrackingConfig = {
  autoTrack: AutoTrack;
  maxPages: number;
  viewports: { name: string }[];
  rules: readonly PageRule[];
};

/** The number of tracked pages at which crawls stop tracking. Null: they track none. */
export function autoTrackLimit({ autoTrack, maxPages }: TrackingConfig): number | null {
  if (autoTrack === 'off') return null;
  return autoTrack === 'all' ? maxPages : (autoTrack.limit ?? maxPages);
}

/** The last glob that matches the path, with its query or without, decides. */
function compilePaths(globs: readonly string[]): (path: string) => boolean {
  const matches = compilePageGlobs(globs);
  return (path) => {
    const whole = path.replace(/^\//, '');
    const [bare = ''] = whole.split('?', 1);
    return matches(whole, bare);
  };
}

/** Returns whether a crawl may track a page. A page that the rules skip at every viewport is never captured. */
export function compileAutoTrack({ autoTrack, viewports, rules }: TrackingConfig): (path: string) => boolean {
  if (autoTrack === 'off') return () => false;
  const matches = autoTrack === 'all' ? () => true : compilePaths(autoTrack.paths);
  const names = viewports.map(({ name }) => name);
  return (path) => matches(path) && findSkippedViewports(rules, path, names).length < names.length;
}
