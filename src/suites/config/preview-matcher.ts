import { z } from 'zod';
import { matchesGlobs } from '../../text/globs.ts';
import { httpUrlProblem } from '../suite-input.ts';
import { setting } from './config-field.ts';
import type { Kind } from './config-kind.ts';
import { Globs } from './page-rule.ts';

/** A label of a host name (RFC 1035). */
const MAX_LABEL = 63;

/** The values for a template of preview addresses. */
type TemplateValues = { number: number; branch: string; sha: string };

const NAMES = new Set<string>(['number', 'branch', 'sha']);
const SAMPLE = { number: 1, branch: 'branch', sha: '0'.repeat(40) };

/** The address without a fragment; null for anything that is not an absolute http(s) address without credentials. */
export function parsePreviewUrl(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  if (httpUrlProblem(trimmed) !== null) return null;
  const url = new URL(trimmed);
  url.hash = '';
  return url.href;
}

/** Hosts turn a branch into a label in this way: `feature/New look` becomes `feature-new-look`. */
function toHostLabel(branch: string): string {
  const plain = branch.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, MAX_LABEL).replace(/^-|-$/g, '');
}

/** Null when the result is not a URL. A branch in the host becomes a label, and elsewhere it is URL-encoded. */
export function fillTemplate(template: string, { number, branch, sha }: TemplateValues): string | null {
  const [origin = '', scheme = ''] = /^([a-z]+:\/\/)[^/?#]*/i.exec(template.trim()) ?? [];
  if (scheme === '') return null;
  const fill = (text: string, branchText: string) =>
    text
      .replaceAll('{number}', String(number))
      .replaceAll('{sha}', sha)
      .replaceAll('{branch}', () => branchText);
  const rest = template.trim().slice(origin.length);
  return parsePreviewUrl(fill(origin, toHostLabel(branch)) + fill(rest, encodeURIComponent(branch)));
}

/** What is wrong with a template, as the end of a sentence; null for a valid one. */
function templateProblem(template: string): string | null {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const unknown = names.find((name) => !NAMES.has(name));
  if (unknown !== undefined) return `uses {${unknown}}, but only {number}, {branch} and {sha} are supported`;
  return fillTemplate(template, SAMPLE) === null ? 'must be an absolute http(s) URL' : null;
}

/** The template of an address, such as `https://pr-{number}.example.app`. */
export const PreviewTemplate = z
  .string('must be text')
  .superRefine((template, issues) => {
    const problem = templateProblem(template);
    if (problem !== null) issues.addIssue(problem);
  })
  .describe('The URL of previews. {number}, {branch} and {sha} are replaced.');

const Value = z.strictObject({
  environment: Globs.describe('Environments of GitHub deployments.'),
  context: Globs.describe('Contexts of commit statuses.'),
  check: Globs.describe('Names of check runs.'),
  url: PreviewTemplate.nullable(),
});

/** Which preview of a commit is the suite's own. Null: whichever it is, as long as there is only one. */
export type PreviewMatcher = z.output<typeof Value>;

/** One glob needs no list. */
const oneOrMore = (globs: typeof Globs) =>
  z
    .union([globs.element, globs], 'must be a glob or a list of globs')
    .nullish()
    .describe(globs.description ?? '');

export const PreviewMatcherInput = z.strictObject({
  environment: oneOrMore(Value.shape.environment),
  context: oneOrMore(Value.shape.context),
  check: oneOrMore(Value.shape.check),
  url: Value.shape.url.optional(),
});

type PreviewMatcherInput = z.output<typeof PreviewMatcherInput>;

/** The globs of a setting that takes one without a list. */
export const toList = (globs: string | string[] | null | undefined): string[] =>
  typeof globs === 'string' ? [globs] : (globs ?? []);

/** Null when nothing is set. */
export function completeMatcher(set: PreviewMatcherInput | null): PreviewMatcher | null {
  const { environment, context, check, url } = set ?? {};
  const full = {
    environment: toList(environment),
    context: toList(context),
    check: toList(check),
    url: url ?? null,
  };
  return namesSignals(full) || full.url !== null ? full : null;
}

/** Whether it names signals, and not only an address. */
export const namesSignals = ({ environment, context, check }: PreviewMatcher): boolean =>
  environment.length + context.length + check.length > 0;

/** Whether a name matches. GitHub's names of environments and checks are compared without case. No globs: no name does. */
export const matchesName = (globs: readonly string[], name: string): boolean =>
  globs.length > 0 &&
  matchesGlobs(
    globs.map((glob) => glob.toLowerCase()),
    name.toLowerCase(),
  );

function show(matcher: PreviewMatcher | null): string {
  if (matcher === null) return 'the only one for the commit';
  const { environment, context, check, url } = matcher;
  return [...environment, ...context, ...check, ...(url === null ? [] : [url])].join(', ');
}

const MATCHER: Kind<PreviewMatcher | null, PreviewMatcherInput | null> = {
  value: Value.nullable(),
  input: PreviewMatcherInput.nullable(),
  complete: completeMatcher,
  control: { kind: 'editor', editor: 'preview' },
  bounds: '',
  show,
};

/** How a suite finds the previews of pull requests. */
export const PREVIEWS = {
  preview: setting(MATCHER, {
    section: 'gate',
    label: 'Preview',
    help: 'Which preview of a commit belongs to this suite, for repositories with several previews.',
    default: null,
  }),
};
