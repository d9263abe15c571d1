import type { Response } from 'express';

/** Aborted when the client leaves before it has its answer. */
export function watchClient(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
