import { httpUrlProblem } from '../../suites/http-url.ts';
import type { SeenPreview } from './preview-store.ts';

/** A label of a host name (RFC 1035). */
const MAX_LABEL = 63;

/** The address without a fragment; null for anything that is not an absolute http(s) address without credentials. */
export function parsePreviewUrl(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  if (httpUrlProblem(trimmed) !== null) return null;
  const url = new URL(trimmed);
  url.hash = '';
  return url.href;
}

/** GitHub marks an environment with exactly this name. Hosts use others: `Production – shop`, `prod-eu`. */
export function isProduction(deployment: {
  environment: string;
  production_environment?: boolean | undefined;
}): boolean {
  return deployment.production_environment === true || /^prod(uction)?($|[^a-z])/i.test(deployment.environment.trim());
}

export type TemplateValues = { number: number; branch: string; sha: string };

/** Hosts turn a branch into a label in this way: `feature/New look` becomes `feature-new-look`. */
function toHostLabel(branch: string): string {
  const plain = branch.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, MAX_LABEL).replace(/^-+|-+$/g, '');
}

/** The names in braces that the template uses but may not. */
export function unknownPlaceholders(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => name !== 'number' && name !== 'branch' && name !== 'sha');
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

/** `announcedAt`: when the host said that the preview is up. Null: nobody has said so. */
export type PreviewCandidate = { address: string; announcedAt: Date | null };

const MAX_CANDIDATES = 5;

function parseHost(url: string): string {
  return new URL(url).host;
}

function findAnnouncement(seen: readonly SeenPreview[], address: string): Date | null {
  const match = seen.find(
    ({ source, url }) => source === 'STATUS' && url !== null && parseHost(url) === parseHost(address),
  );
  return match?.updatedAt ?? null;
}

/**
 * Where the preview may be, best first (contract 7.11). URLs from the commit's deployments come first, the newest
 * before the others. Without any, the repository's template gives the URL, and a status from the template's host says
 * that it is ready. Other statuses, such as test runs, link to their own pages and never to a preview. Pure.
 */
export function previewCandidates(seen: readonly SeenPreview[], filledTemplate: string | null): PreviewCandidate[] {
  const deployed = seen.flatMap(({ source, url, updatedAt }) =>
    source === 'DEPLOYMENT' && url !== null ? [{ address: url, announcedAt: updatedAt }] : [],
  );
  if (deployed.length > 0) return deployed.slice(0, MAX_CANDIDATES);
  if (filledTemplate === null) return [];
  return [{ address: filledTemplate, announcedAt: findAnnouncement(seen, filledTemplate) }];
}
