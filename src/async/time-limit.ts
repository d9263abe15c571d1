/** Waits for `work`, but at most `ms`. True when it settled in time. Rejects if `work` does. */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of `work`. Null if it fails or takes longer than `ms`. */
export async function unlessLate<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const done = await settlesWithin(ms, work).catch(() => false);
  return done ? work : null;
}

/** Settles as `work` does, or rejects with the error of `late` after `ms`. The work itself is not stopped. */
export async function withTimeLimit<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  if (await settlesWithin(ms, work)) return work;
  throw late();
}
