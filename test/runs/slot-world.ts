import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import type { WorkerContext } from '../../src/context.ts';
import { runWith } from '../../src/jobs.ts';
import type { Logger } from '../../src/logger.ts';
import { parsePayload } from '../../src/queue/job-kinds.ts';
import { runQueue, type RunQueueOptions } from '../../src/queue/run-queue.ts';
import { pageMaintenance } from '../../src/runs/page-jobs/free-pages.ts';
import { captureSuite } from '../../src/runs/page-jobs/work-on-pages.ts';
import { log } from '../queue/fixture.ts';
import type { World } from '../support/world.ts';
import { marked, seeing } from './one-page.ts';

/** What a stand-in browser does for each capture, before it gives its screenshot. */
export type OnCapture = (request: CaptureRequest, isOver: () => Promise<boolean>) => Promise<void>;

/** A worker's context, whose browser shows a white page. */
export function capturing(world: World, onCapture: OnCapture): WorkerContext {
  const ctx = seeing(world, marked([]), {}, true);
  return {
    ...ctx,
    browser: {
      ...ctx.browser,
      engine: async () => 'test',
      capture: async (request, isOver) => {
        await onCapture(request, isOver);
        return ctx.browser.capture(request, isOver);
      },
    },
  };
}

type Host = { sliceMs?: number; log?: Logger } & Partial<RunQueueOptions>;

/** A worker host. Its slots take pages for so long, ms. */
export async function startHost(
  ctx: WorkerContext,
  databaseUrl: string,
  { sliceMs, ...options }: Host = {},
): Promise<{ stop: () => Promise<void> }> {
  const runJob = runWith(ctx);
  const runner = await runQueue({
    databaseUrl,
    log,
    drainMs: 0,
    runJob: async (name, payload, job) => {
      const slot = name === 'capture-suite' ? parsePayload('capture-suite', payload) : null;
      return slot === null ? runJob(name, payload, job) : captureSuite(ctx, slot, job, sliceMs);
    },
    ...options,
  });
  return { stop: () => runner.stop() };
}

/** What hosts do for the pages of all hosts, once. */
export async function maintainPages(ctx: WorkerContext): Promise<void> {
  for (const { run } of pageMaintenance(ctx)) await run();
}
