import { z } from 'zod';
import { REVIEW_STATES } from '../../runs/run.ts';
import { IsoDate, namedObject } from './common-schemas.ts';
import { UserSummary } from './user-schemas.ts';

const SettingsDifference = namedObject('SettingsDifference', {
  field: z.string().describe('Such as `failureThreshold`, `rules.mask` or `viewports`'),
  before: z.string().nullable().describe('null: it was not there'),
  after: z.string().nullable().describe('null: it is no longer there'),
  effect: z
    .enum(['LOOSENS', 'TIGHTENS', 'NEUTRAL'])
    .describe('LOOSENS: it can let a change pass that the settings of the base would show'),
  applies: z.enum(['NOW', 'AFTER_MERGE']).describe('AFTER_MERGE: the pull request itself is not judged by it'),
  pages: z.int().nullable().describe('How many tracked pages it is about. null: not about single pages'),
  paths: z.array(z.string()).describe('The first 20 of these pages'),
  viewports: z.array(z.string()),
  summary: z.string().describe('The same in words'),
});

export const SettingsChange = namedObject('SettingsChange', {
  id: z
    .string()
    .nullable()
    .describe('Stands for exactly what loosens: the same in another run means the same change. null: nothing loosens'),
  state: z
    .enum(REVIEW_STATES)
    .describe('PENDING holds the review gate until a reviewer approves. NOT_REQUIRED: nothing loosens'),
  differences: z.array(SettingsDifference).describe('What loosens comes first'),
  approvedBy: UserSummary.nullable(),
  approvedAt: IsoDate.nullable(),
  carriedOver: z.boolean().describe('It was approved in an earlier run of the pull request'),
  withBaseSettings: z
    .object({
      failing: z.int().describe('Results that would be changes'),
      passing: z.int().describe('Results that would pass'),
      missing: z.int().describe('Results that could not be captured'),
      notCaptured: z.int().describe('Results that were too many to be captured again'),
    })
    .describe('What the settings of the base would have shown. Each result has its own `baseSettings`'),
});
