import { Tinypool } from 'tinypool';
import { unavailable } from '../errors.ts';
import type { BrowserTask } from './browser-thread.ts';

/**
 * Finds a browser, or installs one, and starts it once, in a thread that then ends.
 * @throws AppError unavailable with a sentence that says what to do.
 */
export async function prepareBrowser({ chromiumPath, browserWsEndpoint, logLevel }: BrowserTask): Promise<void> {
  const entry = new URL('./browser-thread.js', import.meta.url);
  const pool = new Tinypool({ filename: entry.href, name: 'prepare', minThreads: 0, maxThreads: 1 });
  try {
    const task: BrowserTask = { chromiumPath, browserWsEndpoint, logLevel };
    const problem: string | null = await pool.run(task);
    if (problem !== null) throw unavailable(problem, 'browser_unusable');
  } finally {
    await pool.destroy();
  }
}
