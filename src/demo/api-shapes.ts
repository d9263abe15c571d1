import { z } from 'zod';

// Only the fields that the demo reads, because the API may add others. The names and values are those of spec 2.

const ResultStatus = z.enum(['PENDING', 'PASS', 'FAIL', 'ERROR', 'CANCELLED']);

export const ApiError = z.object({ error: z.string() });
export const Auth = z.object({ token: z.string(), user: z.object({ email: z.string() }) });
/** `url` signs a browser in. It works once. */
export const SignInLink = z.object({ url: z.url() });
export const Suite = z.object({
  id: z.string(),
  config: z.object({ viewports: z.array(z.object({ name: z.string() })) }),
});
export const Message = z.object({ message: z.string() });
export const Started = z.object({ testRunId: z.string() });

export const SitePages = z.object({
  pages: z.array(
    z.object({
      id: z.string(),
      path: z.string(),
      status: z.enum(['NEW', 'ACTIVE', 'REMOVED']),
      tracked: z.boolean(),
    }),
  ),
  crawl: z.object({
    status: z.enum(['IDLE', 'QUEUED', 'CRAWLING', 'COMPLETED', 'FAILED']),
    error: z.string().nullable(),
  }),
});

const PageResult = z.object({
  path: z.string().nullable(),
  url: z.string(),
  viewport: z.string(),
  status: ResultStatus,
  isNew: z.boolean(),
  diffScore: z.number().nullable(),
  diffFile: z.string().nullable(),
  error: z.string().nullable(),
});

export const TestRun = z.object({
  id: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED']),
  reviewState: z.enum(['NOT_REQUIRED', 'PENDING', 'APPROVED']),
  metadata: z.object({ error: z.string().nullish() }).nullable(),
  pageResults: z.array(PageResult),
});

export const Logs = z.object({ logs: z.array(z.object({ type: z.string(), message: z.string() })) });

export const Baselines = z.array(
  z.object({ path: z.string().nullable(), viewport: z.string(), currentVersion: z.number().nullable() }),
);

export type PageResult = z.infer<typeof PageResult>;
export type SitePages = z.infer<typeof SitePages>;
export type TestRun = z.infer<typeof TestRun>;
export type Baseline = z.infer<typeof Baselines>[number];
