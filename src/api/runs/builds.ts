import { z } from 'zod';
import { Id, inSuite, onSuite } from '../../http/acts-on.ts';
import { readBuild, storeBuild } from '../../runs/builds/store-build.ts';
import { route } from '../api-route.ts';
import { HeadSha } from '../run-schemas.ts';
import { namedObject, PublicId, recordFields } from '../suite-schemas.ts';

const Build = namedObject('Build', {
  id: recordFields.id,
  testSuiteId: PublicId,
  digest: z.string().describe('SHA-256 of all paths and contents. Builds with the same files are stored once'),
  files: z.int(),
  bytes: z.int().describe('Unpacked'),
  headSha: z.string().nullable(),
  createdAt: recordFields.createdAt,
});

export const postBuild = route(
  {
    operationId: 'uploadBuild',
    suiteToken: 'upload',
    upload: true,
    summary: 'Upload a built site to capture instead of a preview',
    description:
      'The body is a `.tar.gz` or a `.zip` of the directory, with `index.html` at its top: at most 512 MiB, 50,000 files of at most 64 MiB, and 2 GiB unpacked, but not more than 64 MiB and 200 times the archive. Pass the `id` to `POST /test-suites/{id}/run` as `buildId`. Unused builds are removed after 7 days. A suite keeps 500 builds and 10 GiB: the oldest that no run in progress captures are removed to make room.',
    status: 201,
    ...onSuite('suite.upload'),
    query: z.object({
      headSha: HeadSha.optional().describe(
        'The commit that was built. The run of its pull request takes the build as its preview',
      ),
    }),
    response: Build,
    failures: {
      409: 'The builds of runs in progress leave no room (`build_quota`)',
      413: 'The archive is over 512 MiB',
      422: 'Not a valid archive, or it contains a link, a path outside the directory, or too much data',
    },
  },
  async (ctx, { suite, query, upload, gone }) =>
    storeBuild(ctx, suite, { ...upload, gone, headSha: query.headSha ?? null }),
);

export const getBuild = route(
  {
    operationId: 'readBuild',
    suiteToken: 'read',
    summary: 'Read a build',
    ...inSuite('suite.read', { buildId: Id }),
    response: Build,
  },
  async (ctx, { suite, params }) => readBuild(ctx, suite, params.buildId),
);
