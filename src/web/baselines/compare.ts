import { z } from 'zod';
import type { BaselineVersion } from '../../baselines/baseline.ts';
import { compareVersions } from '../../baselines/compare-versions.ts';
import { listVersions, readVersion } from '../../baselines/read-baselines.ts';
import { readPage } from '../../runs/results/read-pages.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { redirect } from '../reply.ts';
import { buildFields } from '../form-field.ts';
import { Id } from '../form-values.ts';
import { readImage } from '../review/read-image.ts';
import { readPair } from '../review/read-pair.ts';
import { comparisonView } from '../review/comparison-view.ts';
import type { Choice } from '../review/view-mode.ts';
import { choiceShape } from '../review/view-mode.ts';
import { pageRoute } from '../web-route.ts';
import { chooseSection } from '../suites/suite-head.ts';
import { PageParams, comparePath, pagePath } from './page-path.ts';
import { formatApprover } from './version-text.ts';

const VersionId = Id.nullable().catch(null).default(null);

const Query = z.object({
  from: VersionId,
  to: VersionId,
  /** The path of another page, whose versions can be chosen as well. */
  with: z.string().trim().max(2048).optional().catch(undefined),
  ...choiceShape,
});

function versionLabel(version: BaselineVersion) {
  return { name: `Version ${version.version}`, detail: formatApprover(version), at: version.approvedAt };
}

/** The controls to choose the two versions. */
function pickers(
  versions: BaselineVersion[],
  { from, to, path, other }: { from: string; to: string; path: string; other: string | undefined },
) {
  const options = versions.map((version) => ({
    value: version.id,
    label: `${version.path === path ? '' : `${version.path}, `}${version.viewport}, version ${version.version}`,
  }));
  return buildFields(
    {
      from: { label: 'Before', type: 'select', options, value: from },
      to: { label: 'After', type: 'select', options, value: to },
      with: {
        label: 'Other page',
        value: other ?? '',
        attributes: { placeholder: '/path', maxlength: 2048, spellcheck: 'false' },
      },
    },
    null,
  );
}

/** A page may have more versions than a list of choices should. */
const CHOICES = 300;

const withChosen = (choices: BaselineVersion[], chosen: BaselineVersion[]) => [
  ...choices,
  ...chosen.filter(({ id }) => choices.every((choice) => choice.id !== id)),
];

/** Shows two versions of a page in the comparison view. */
export const getCompare = pageRoute(
  { path: '/suites/:id/pages/:pageId/compare', params: PageParams, query: Query },
  async (ctx, { viewer, params, query: { from: fromId, to: toId, with: other, mode, show, view } }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    const sitePage = await readPage(ctx, suite, params.pageId);
    if (fromId === null || toId === null) return redirect(pagePath(sitePage), 'Choose two versions to compare');
    const [from, to, { items: choices }, { items: others }] = await Promise.all([
      readVersion(ctx, suite, fromId),
      readVersion(ctx, suite, toId),
      listVersions(ctx, suite, { path: sitePage.path }, { limit: CHOICES, after: null }),
      listVersions(ctx, suite, { path: other ?? '' }, { limit: CHOICES, after: null }),
    ]);
    const compared = await compareVersions(ctx, from, to);
    const { diffFile, diffPercentage, regions } = compared;
    const [pair, difference] = await Promise.all([
      readPair(ctx, {
        plain: { baseline: from.filePath, current: to.filePath },
        aligned: { baseline: compared.alignedFromFile, current: compared.alignedToFile },
      }),
      readImage(ctx, diffPercentage === 0 ? null : diffFile),
    ]);
    const compareUrl = (choice: Choice) =>
      comparePath(sitePage, { from: fromId, to: toId, with: other ?? null, ...choice });
    const model = {
      suite: { name: suite.name, href: `/suites/${suite.id}` },
      path: sitePage.path,
      history: pagePath(sitePage),
      viewport: from.viewport === to.viewport ? from.viewport : `${from.viewport} and ${to.viewport}`,
      diff: diffPercentage,
      identical: diffPercentage === 0,
      swap: comparePath(sitePage, { from: toId, to: fromId, with: other ?? null, mode, show, view }),
      fields: pickers(withChosen([...choices, ...others], [from, to]), {
        from: fromId,
        to: toId,
        path: sitePage.path,
        other,
      }),
      action: comparePath(sitePage, {}),
      comparison: comparisonView({
        ...pair,
        difference,
        labels: { baseline: versionLabel(from), current: versionLabel(to) },
        regions,
        subject: `${sitePage.path} at ${to.viewport}`,
        choice: { mode, show, view },
        addressOf: compareUrl,
      }),
    };
    const title = `${sitePage.path}: version ${from.version} and version ${to.version} · ${suite.name}`;
    return { kind: 'page', view: 'baselines/compare', title, model, width: 'full', section: chooseSection(suite) };
  },
);
