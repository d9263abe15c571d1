import { z } from 'zod';
import type { BaselineVersion } from '../../baselines/baseline.ts';
import { listVersions, readVersion } from '../../baselines/read-baselines.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { Id } from '../../http/acts-on.ts';
import type { SitePage } from '../../pages/site-page.ts';
import { readResultOfSuite, readResultsOfPage } from '../../runs/page-results/read-page-results.ts';
import type { ResultOfPage } from '../../runs/page-results/result-of-page.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { withQuery } from '../pager.ts';
import { formatApprover } from './version-text.ts';

export const PageParams = z.object({ id: Id, pageId: Id });

type PageKey = Pick<SitePage, 'id' | 'testSuiteId'>;

export function pagePath({ id, testSuiteId }: PageKey): string {
  return `/suites/${testSuiteId}/pages/${id}`;
}

export function comparePath(page: PageKey, query: Record<string, string | null>): string {
  return withQuery(`${pagePath(page)}/compare`, query);
}

const RESULT = 'result-';

/** A version by its id, or a result by its id after `result-`. */
export const ScreenshotId = z
  .union([z.uuid(), z.templateLiteral([RESULT, z.uuid()])])
  .nullable()
  .catch(null)
  .default(null);

export const resultChoice = (id: string): string => `${RESULT}${id}`;

/** A version or a result that can be compared with any other. */
export type ScreenshotChoice = ReturnType<typeof choiceOfVersion>;

const choiceOfVersion = (version: BaselineVersion) => ({
  id: version.id,
  path: version.path,
  viewport: version.viewport,
  file: version.filePath,
  name: `Version ${version.version}`,
  detail: formatApprover(version),
  at: version.approvedAt,
});

function choicesOfResult({ id, path, viewport, currentFile, runNumber, at }: ResultOfPage): ScreenshotChoice[] {
  if (currentFile === null) return [];
  return [{ id: resultChoice(id), path, viewport, file: currentFile, name: `Run #${runNumber}`, detail: null, at }];
}

type ReadContext = Pick<Context, 'db'>;

/** @throws AppError not_found, also for one of another suite, and for a result without a screenshot. */
export async function readChoice(ctx: ReadContext, suite: SuiteFor, id: string): Promise<ScreenshotChoice> {
  if (!id.startsWith(RESULT)) return choiceOfVersion(await readVersion(ctx, suite, id));
  const [choice] = choicesOfResult(await readResultOfSuite(ctx, suite, id.slice(RESULT.length)));
  if (choice === undefined) throw notFound('Screenshot');
  return choice;
}

/** A page may have more versions than a list of choices should. */
const VERSIONS = 200;

/** The choices for a page: its versions, then the screenshots of the newest runs. */
export async function listChoices(ctx: ReadContext, suite: SuiteFor, path: string): Promise<ScreenshotChoice[]> {
  const [{ items: versions }, results] = await Promise.all([
    listVersions(ctx, suite, { path }, { limit: VERSIONS, after: null }),
    readResultsOfPage(ctx, suite, { path }),
  ]);
  return [...versions.map(choiceOfVersion), ...results.flatMap(choicesOfResult)];
}
