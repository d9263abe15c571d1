import { httpUrlProblem } from '../../suites/http-url.ts';
import type { SeenPreview } from './preview-store.ts';

/** A label of a host name (RFC 1035). */
const MAX_LABEL = 63;

/** The address without a fragment; null for anything that is not an absolute http(s) address without credentials. */
export function previewUrlOf(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  if (httpUrlProblem(trimmed) !== null) return null;
  const url = new URL(trimmed);
  url.hash = '';
  return url.href;
}

/** GitHub marks an environment of just that name; hosts have others: `Production – shop`, `prod-eu`. */
export function isProduction(deployment: {
  environment: string;
  production_environment?: boolean | undefined;
}): boolean {
  return deployment.production_environment === true || /^prod(uction)?($|[^a-z])/i.test(deployment.environment.trim());
}

export type TemplateValues = { number: number; branch: string; sha: string };

/** As hosts make a label of a branch: `feature/New look` is `feature-new-look`. */
function labelOf(branch: string): string {
  const plain = branch.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, MAX_LABEL).replace(/^-+|-+$/g, '');
}

/** The names in braces that a template may not use. */
export function unknownPlaceholders(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => name !== 'number' && name !== 'branch' && name !== 'sha');
}

/** Null when it does not make an address. In the host a branch is a label, behind it an encoded text. */
export function fillTemplate(template: string, { number, branch, sha }: TemplateValues): string | null {
  const [origin = '', scheme = ''] = /^([a-z]+:\/\/)[^/?#]*/i.exec(template.trim()) ?? [];
  if (scheme === '') return null;
  const fill = (text: string, branchText: string) =>
    text
      .replaceAll('{number}', String(number))
      .replaceAll('{sha}', sha)
      .replaceAll('{branch}', () => branchText);
  const rest = template.trim().slice(origin.length);
  return previewUrlOf(fill(origin, labelOf(branch)) + fill(rest, encodeURIComponent(branch)));
}

/** `announcedAt`: when its host said that it is up; null: nobody did. */
export type PreviewCandidate = { address: string; announcedAt: Date | null };

const MAX_CANDIDATES = 5;

function hostOf(url: string): string {
  return new URL(url).host;
}

function announcementOf(seen: readonly SeenPreview[], address: string): Date | null {
  const match = seen.find(({ source, url }) => source === 'STATUS' && url !== null && hostOf(url) === hostOf(address));
  return match?.updatedAt ?? null;
}

/**
 * Where the preview may be, the best first (contract 7.11): what deployments of the commit said, the last first; without
 * any the repository's template, which a status of the template's host declares ready. Statuses of others, such as test
 * runs, lead to their own pages, never to a preview. Pure.
 */
export function previewCandidates(seen: readonly SeenPreview[], filledTemplate: string | null): PreviewCandidate[] {
  const deployed = seen.flatMap(({ source, url, updatedAt }) =>
    source === 'DEPLOYMENT' && url !== null ? [{ address: url, announcedAt: updatedAt }] : [],
  );
  if (deployed.length > 0) return deployed.slice(0, MAX_CANDIDATES);
  if (filledTemplate === null) return [];
  return [{ address: filledTemplate, announcedAt: announcementOf(seen, filledTemplate) }];
}
