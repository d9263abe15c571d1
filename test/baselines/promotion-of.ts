import type { Promotion } from '../../src/baselines/baseline.ts';
import { screenshot } from '../support/world.ts';

export type PromotionOf = { path: string; image: string; isSeed?: boolean };

/** A screenshot of a page, promoted through the API or as the seed of its first version. */
export const promotionOf = (suite: { id: string }, { path, image, isSeed = false }: PromotionOf): Promotion => ({
  path,
  viewport: 'desktop',
  filePath: screenshot(suite, image),
  source: isSeed ? 'INITIAL' : 'API',
  approvedById: null,
  testRunId: null,
  pageResultId: null,
  diffScore: null,
  comparedVersionId: null,
  prNumber: null,
  note: null,
  captureEngine: null,
  compareEngine: null,
  atRest: true,
  captureWay: null,
  elementsFile: null,
  manifestFile: null,
  heardFile: null,
});
