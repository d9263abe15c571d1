import { httpUrlProblem } from '../suite-input.ts';

/** A label of a host name (RFC 1035). */
const MAX_LABEL = 63;

/** The values for a template of preview addresses. */
export type TemplateValues = { number: number; branch: string; sha: string };

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
export function templateProblem(template: string): string | null {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const unknown = names.find((name) => !NAMES.has(name));
  if (unknown !== undefined) return `uses {${unknown}}, but only {number}, {branch} and {sha} are supported`;
  return fillTemplate(template, SAMPLE) === null ? 'must be an absolute http(s) URL' : null;
}
