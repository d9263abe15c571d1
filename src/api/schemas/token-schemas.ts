import { z } from 'zod';
import { TOKEN_LIFE, TOKEN_NAME_MAX_LENGTH, TOKEN_SCOPES } from '../../auth/tokens/api-token.ts';
import { Id } from '../../http/acts-on.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { IsoDate, named, namedObject, PublicId, recordFields, TimePlace } from './common-schemas.ts';
import { UserSummary } from './user-schemas.ts';

const TokenScope = named('TokenScope', z.enum(TOKEN_SCOPES));

const ApiToken = namedObject('ApiToken', {
  id: recordFields.id,
  name: z.string(),
  testSuiteId: PublicId.nullable().describe('null for a personal token'),
  scopes: z.array(TokenScope).nullable().describe('null: everything the person can do'),
  owner: UserSummary.describe('Who created it, and on whose behalf it acts'),
  expiresAt: IsoDate,
  lastUsedAt: IsoDate.nullable().describe('To the minute'),
  createdAt: recordFields.createdAt,
});

export const TOKENS_AT_ONCE = { most: 100, place: TimePlace };

export const TokenList = z.array(ApiToken).describe('Newest first, at most 100');

export const CreatedToken = namedObject('CreatedToken', {
  token: ApiToken,
  secret: z.string().describe('Sent as `Authorization: Bearer`. It is not stored and never shown again.'),
});

const tokenFields = {
  name: trimmedText(TOKEN_NAME_MAX_LENGTH).min(1, 'must not be empty'),
  expiresInDays: z.int().min(TOKEN_LIFE.least).max(TOKEN_LIFE.most).default(TOKEN_LIFE.usual),
};

export const CreateTokenInput = namedObject('CreateTokenInput', tokenFields);

export const CreateSuiteTokenInput = namedObject('CreateSuiteTokenInput', {
  ...tokenFields,
  scopes: z.array(TokenScope).min(1, 'must have at least one scope').max(10),
});

/** GitHub's tokens have about 2 KB. */
const IDENTITY_TOKEN_MAX_LENGTH = 16_384;

export const WorkflowTokenInput = namedObject('WorkflowTokenInput', {
  token: z
    .string()
    .min(1)
    .max(IDENTITY_TOKEN_MAX_LENGTH)
    .describe('The job’s identity token, for the audience that is the origin of `PUBLIC_URL`'),
  testSuiteId: Id.optional().describe('Needed when several suites are linked to the repository'),
});

export const WorkflowToken = namedObject('WorkflowToken', {
  secret: z.string().describe('Sent as `Authorization: Bearer`'),
  testSuiteId: PublicId,
  scopes: z.array(TokenScope),
  expiresAt: IsoDate.describe('In 15 minutes'),
});

export const TokenParams = z.object({ tokenId: Id });
export const SuiteTokenParams = z.object({ id: Id.describe('The suite'), tokenId: Id });
