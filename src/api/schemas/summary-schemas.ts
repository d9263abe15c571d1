import { z } from 'zod';
import { CHANGE_KINDS } from '../../elements/page-change.ts';
import { SUMMARY_CHANGES } from '../../review/overview/read-summary.ts';
import { OTHER_CAUSES } from '../../runs/results/cause-words.ts';
import { MOST_WAIT_SECONDS } from '../../runs/wait-for-run.ts';
import { ChangePlace, Variant } from './change-schemas.ts';
import { Address, namedObject, PublicId, wholeNumber } from './common-schemas.ts';
import { TestRun } from './run-schemas.ts';

const { id, number, name, status, reviewState, git, startedAt, endedAt, changeRequests } = TestRun.shape;

/** How many of a list's items a summary names. */
export const NAMED_AT_MOST = 5;

export const RunState = namedObject('RunState', {
  id,
  number,
  name,
  status,
  reviewState,
  git,
  startedAt,
  endedAt,
  changeRequests,
  testSuite: z.object({ id: PublicId, name: z.string() }),
  url: Address.describe('The page on which people review it'),
  ending: z.string().nullable().describe('Why it ended without capturing every page. null: it did not'),
});

const count = z.int();

const SummaryChange = namedObject('SummaryChange', {
  id: z.string().describe('The same for the same change of any page, viewport and run'),
  kind: z.enum(CHANGE_KINDS),
  element: z.string().describe('A short CSS selector; empty when elements are not known'),
  summary: z.string().describe('What happened to the element'),
  before: z.string().nullable(),
  after: z.string().nullable(),
  count: count.describe('How many results have it'),
  pages: z.array(z.string()).describe(`The first ${NAMED_AT_MOST} of its paths`),
  pageCount: count,
  viewports: z.array(z.string()).describe(`The first ${NAMED_AT_MOST}`),
  state: Variant.shape.state,
  faint: z.boolean(),
  variantCount: count.describe('In how many ways it looks'),
});

export const RunSummary = namedObject('RunSummary', {
  run: RunState,
  counts: z
    .object({
      changed: count.describe('Differ, and need an approval'),
      new: count.describe('Pages without a baseline'),
      error: count.describe('Could not be captured'),
      pending: count,
      uncounted: count.describe('Differ for another reason than a change, see `causes`'),
      passed: count,
      cancelled: count,
    })
    .describe('How many results are in each section of the review'),
  causes: z
    .array(z.object({ cause: z.enum(OTHER_CAUSES), results: count }))
    .describe('Why results differ without needing an approval'),
  undecided: count.describe('How many results nobody has decided about yet'),
  changeCount: count.describe('How many changes there are. 0 in an empty part'),
  changes: z.array(SummaryChange).describe('Most results first, faint ones and drift last'),
});

const Advice = namedObject('Advice', {
  setting: z
    .string()
    .nullable()
    .describe('What mends it: a field of the suite, a setting of the operator, or the configuration file. null: none'),
  advice: z.string(),
});

export const RunFailures = namedObject('RunFailures', {
  run: RunState,
  error: z.string().nullable().describe('Why the run ended, in more words than `run.ending`'),
  advice: Advice.nullable().describe('What to do about that. null: nothing is known, or nothing is wrong'),
  errorCount: z.int().describe('How many results are errors'),
  errors: z
    .array(
      z.object({
        error: z.string(),
        count: z.int().describe('How many results have it'),
        pages: z.array(z.string()).describe(`The first ${NAMED_AT_MOST} of its paths`),
        pageCount: z.int(),
        advice: Advice.nullable(),
      }),
    )
    .describe('The ten most frequent'),
});

export const SUMMARY_LIST = { most: SUMMARY_CHANGES, place: ChangePlace };

export const WaitQuery = z.object({
  seconds: wholeNumber(0, MOST_WAIT_SECONDS)
    .default(MOST_WAIT_SECONDS)
    .describe('How long to wait at most. The answer comes earlier if the run ends'),
});
