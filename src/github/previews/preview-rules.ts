import type { PreviewSearch } from '../../pull-requests/previews/preview-search.ts';
import type { PullRequestHead } from '../../pull-requests/pull-request-run.ts';
import type { SuiteSettings } from '../../suites/config-file/config-file.ts';
import { fillTemplate } from '../../suites/config/preview-template.ts';
import type { Suite } from '../../suites/suite.ts';

/**
 * The rules that identify a suite's preview of a head, with the addresses filled in. The repository's file comes before
 * the suite's settings. Null for `file`: it has not been read. Pure.
 */
export function rulesFor(
  { config }: Pick<Suite, 'config'>,
  file: Pick<SuiteSettings, 'preview' | 'previewUrl'> | null,
  { number, branch, headSha }: Pick<PullRequestHead, 'number' | 'branch' | 'headSha'>,
): Pick<PreviewSearch, 'matcher' | 'fallback'> {
  const fill = (template: string | null | undefined) =>
    template === null || template === undefined ? null : fillTemplate(template, { number, branch, sha: headSha });
  const matcher = file?.preview ?? config.preview;
  return {
    matcher: matcher === null ? null : { ...matcher, url: fill(matcher.url) },
    fallback: fill(file?.previewUrl),
  };
}
