import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import { HEAD_SHA } from '../../runs/builds/build.ts';
import { namedObject, PublicId, recordFields } from './common-schemas.ts';

export const HeadSha = z.string().trim().toLowerCase().regex(HEAD_SHA, 'must be the full SHA of a commit');

export const Build = namedObject('Build', {
  id: recordFields.id,
  testSuiteId: PublicId,
  digest: z.string().describe('SHA-256 of all paths and contents. Builds with the same files are stored once'),
  files: z.int(),
  bytes: z.int().describe('Unpacked'),
  headSha: z.string().nullable(),
  createdAt: recordFields.createdAt,
});

export const UploadQuery = z.object({
  headSha: HeadSha.optional().describe(
    'The commit that was built. The run of its pull request takes the build as its preview',
  ),
});

export const BuildParams = z.object({ id: Id.describe('The suite'), buildId: Id });
