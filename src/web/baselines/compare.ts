import { z } from 'zod';
import { knownName } from '../../auth/user.ts';
import type { BaselineVersion } from '../../baselines/baseline.ts';
import { compareScreenshots } from '../../baselines/compare-screenshots.ts';
import { listVersions, readVersion } from '../../baselines/read-baselines.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { onPage } from '../../http/acts-on.ts';
import type { SitePage } from '../../pages/site-page.ts';
import { readResultOfSuite, readResultsOfPage } from '../../runs/page-results/page-results-store.ts';
import type { ResultOfPage } from '../../runs/page-results/result-of-page.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { namePlace, readablePath } from '../../text/readable-path.ts';
import { comparisonView } from '../comparison/comparison-view.ts';
import { readImage, readPair } from '../comparison/read-image.ts';
import { choiceShape, type Choice } from '../comparison/view-mode.ts';
import { buildFields } from '../form-field.ts';
import { LISTS } from '../suites/suite-head.ts';
import { pageRoute, withQuery } from '../web-route.ts';

type PageKey = Pick<SitePage, 'id' | 'testSuiteId'>;

export function pagePath({ id, testSuiteId }: PageKey): string {
  return `/suites/${testSuiteId}/pages/${id}`;
}

export function comparePath(page: PageKey, query: Record<string, string | null>): string {
  return withQuery(`${pagePath(page)}/compare`, query);
}

const RESULT = 'result-';

/** A version by its id, or a result by its id after `result-`. */
const ScreenshotId = z
  .union([z.uuid(), z.templateLiteral([RESULT, z.uuid()])])
  .nullable()
  .catch(null)
  .default(null);

export const resultChoice = (id: string): string => `${RESULT}${id}`;

/** A version or a result that can be compared with any other. */
type ScreenshotChoice = ReturnType<typeof choiceOfVersion>;

const choiceOfVersion = (version: BaselineVersion) => ({
  id: version.id,
  path: version.path,
  viewport: version.viewport,
  file: version.filePath,
  name: `Version ${version.version}`,
  detail: knownName(version.approvedBy),
  at: version.approvedAt,
});

function choicesOfResult({ id, path, viewport, currentFile, runNumber, at }: ResultOfPage): ScreenshotChoice[] {
  if (currentFile === null) return [];
  return [{ id: resultChoice(id), path, viewport, file: currentFile, name: `Run #${runNumber}`, detail: null, at }];
}

type ReadContext = Pick<Context, 'db'>;

/** @throws AppError not_found, also for one of another suite, and for a result without a screenshot. */
async function readChoice(ctx: ReadContext, suite: SuiteFor, id: string): Promise<ScreenshotChoice> {
  if (!id.startsWith(RESULT)) return choiceOfVersion(await readVersion(ctx, suite, id));
  const result = await readResultOfSuite(ctx.db, suite, id.slice(RESULT.length));
  if (result === null) throw notFound('Result');
  const [choice] = choicesOfResult(result);
  if (choice === undefined) throw notFound('Screenshot');
  return choice;
}

/** A page may have more versions than a list of choices should. */
const VERSIONS = 200;

/** The choices for a page: its versions, then the screenshots of the newest runs. */
async function listChoices(ctx: ReadContext, suite: SuiteFor, path: string): Promise<ScreenshotChoice[]> {
  const [{ items: versions }, results] = await Promise.all([
    listVersions(ctx, suite, { path }, { limit: VERSIONS, after: null }),
    readResultsOfPage(ctx.db, suite, { path }),
  ]);
  return [...versions.map(choiceOfVersion), ...results.flatMap(choicesOfResult)];
}

const Query = z.object({
  from: ScreenshotId,
  to: ScreenshotId,
  /** The path of another page, whose screenshots can be chosen as well. */
  with: z.string().trim().max(2048).optional().catch(undefined),
  ...choiceShape,
});

type Pair = { from: ScreenshotChoice; to: ScreenshotChoice };

function pickers(
  choices: ScreenshotChoice[],
  pair: { from: ScreenshotChoice | null; to: ScreenshotChoice | null },
  { path, other }: { path: string; other: string | undefined },
) {
  const options = choices.map((choice) => ({
    value: choice.id,
    label: `${choice.path === path ? '' : `${readablePath(choice.path)}, `}${choice.viewport}, ${choice.name.toLowerCase()}`,
  }));
  return buildFields(
    {
      from: { label: 'Before', type: 'select', options, value: pair.from?.id ?? null },
      to: { label: 'After', type: 'select', options, value: pair.to?.id ?? null },
      with: {
        label: 'Other page',
        value: other ?? '',
        attributes: { placeholder: '/path', maxlength: 2048, spellcheck: 'false' },
      },
    },
    null,
  );
}

const withChosen = (choices: ScreenshotChoice[], chosen: (ScreenshotChoice | null)[]) => [
  ...choices,
  ...chosen.filter((one) => one !== null).filter(({ id }) => choices.every((choice) => choice.id !== id)),
];

/** Names what distinguishes the two: the page and the viewport only if they differ. */
function label({ from, to }: Pair, { path, viewport, name, detail, at }: ScreenshotChoice) {
  const parts = [from.path === to.path ? [] : [path], from.viewport === to.viewport ? [] : [viewport]].flat();
  return { name: parts.length === 0 ? name : `${parts.join(', ')}, ${name.toLowerCase()}`, detail, at };
}

const nameFile = ({ file, name }: ScreenshotChoice) => ({ file, name: name.toLowerCase() });

async function compare(
  ctx: Context,
  suite: SuiteFor,
  pair: Pair,
  view: { choice: Choice; addressOf: (choice: Choice) => string },
) {
  const { from, to } = pair;
  const compared = await compareScreenshots(ctx, suite, nameFile(from), nameFile(to));
  const { diffFile, diffPercentage, regions } = compared;
  const [images, difference] = await Promise.all([
    readPair(ctx, {
      plain: { baseline: from.file, current: to.file },
      aligned: { baseline: compared.alignedFromFile, current: compared.alignedToFile },
    }),
    readImage(ctx, diffPercentage === 0 ? null : diffFile),
  ]);
  const comparison = comparisonView({
    ...images,
    difference,
    labels: { baseline: label(pair, from), current: label(pair, to) },
    regions,
    subject: namePlace(to),
    ...view,
  });
  return { diff: diffPercentage, identical: diffPercentage === 0, comparison };
}

/** The default comparison: the newest of the other page or, without one, the two newest of this page. */
function suggest(own: ScreenshotChoice[], others: ScreenshotChoice[]): (ScreenshotChoice | null)[] {
  const [first = null, second = null] = own;
  return others.length > 0 ? [first, others[0] ?? null] : [second, first];
}

/** Shows any two screenshots of a suite in the comparison view: versions and results, of any page and viewport. */
export const getCompare = pageRoute(
  { path: '/suites/:id/pages/:pageId/compare', ...onPage('suite.read'), query: Query },
  async (ctx, { suite, page, query }) => {
    const { from: fromId, to: toId, with: other, ...choice } = query;
    const { path } = page;
    const read = async (id: string | null) => (id === null ? null : readChoice(ctx, suite, id));
    const [chosenFrom, chosenTo, own, others] = await Promise.all([
      read(fromId),
      read(toId),
      listChoices(ctx, suite, path),
      other === undefined || other === '' || other === path ? [] : listChoices(ctx, suite, other),
    ]);
    const [suggestedFrom = null, suggestedTo = null] = suggest(own, others);
    const pair = { from: chosenFrom ?? suggestedFrom, to: chosenTo ?? suggestedTo };
    const { from, to } = pair;
    const addressOf = (chosen: Choice) =>
      comparePath(page, { from: from?.id ?? null, to: to?.id ?? null, with: other ?? null, ...chosen });
    const shown =
      from === null || to === null
        ? { diff: null, identical: false, comparison: null }
        : await compare(ctx, suite, { from, to }, { choice, addressOf });
    const model = {
      suite: { name: suite.name, href: `/suites/${suite.id}` },
      path,
      history: pagePath(page),
      viewport: [...new Set([from?.viewport, to?.viewport].flatMap((name) => name ?? []))].join(' and '),
      ...shown,
      hasPair: from !== null && to !== null,
      unknownPage: other !== undefined && other !== '' && other !== path && others.length === 0 ? other : null,
      swap: comparePath(page, { from: to?.id ?? null, to: from?.id ?? null, with: other ?? null, ...choice }),
      fields: pickers(withChosen([...own, ...others], [from, to]), pair, { path, other }),
      action: comparePath(page, {}),
    };
    const names = from === null || to === null ? 'compare' : `${from.name} and ${to.name}`;
    const title = `${readablePath(path)}: ${names} · ${suite.name}`;
    return { kind: 'page', view: 'baselines/compare', title, model, width: 'full', section: LISTS[suite.kind].section };
  },
);
