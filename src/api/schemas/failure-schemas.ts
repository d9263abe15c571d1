import { z } from 'zod';
import { namedObject } from './components.ts';
import { NAMED_AT_MOST, RunState } from './summary-schemas.ts';

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
