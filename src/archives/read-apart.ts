import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import { AppError } from '../errors.ts';
import type { ArchiveTask, Outcome } from './archive-thread.ts';
import type { ArchiveLimits } from './archive.ts';
import { listArchive, readArchive, type ArchivedFile, type ArchiveList } from './read-archive.ts';

/** Archives that a process reads at the same time. Each holds a file in memory. */
const MAX_THREADS = 4;
/** A thread ends after this many milliseconds without work, and its memory is free again. */
const IDLE_MS = 30_000;

export type ArchiveReader = { list: typeof listArchive; read: typeof readArchive };

/** Reads archives in the calling thread, for processes that have nothing else to do. */
export const READ_HERE: ArchiveReader = { list: listArchive, read: readArchive };

function valueOf<T>(outcome: Outcome<T>): T {
  if ('value' in outcome) return outcome.value;
  const { kind, message, details } = outcome.refusal;
  throw new AppError(kind, message, details);
}

/**
 * Reads archives in other threads, so that the calling thread can answer requests meanwhile.
 * @param entry the compiled `archive-thread`
 */
export function openArchiveReader(
  entry = new URL('./archive-thread.js', import.meta.url),
): ArchiveReader & { close: () => Promise<void> } {
  const pool = new Tinypool({
    filename: entry.href,
    name: 'list',
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
  });

  /** Ends when the work has ended or `stop` was called; nothing reads the file then. */
  function start<T>(name: 'list' | 'read', fd: number, limits: ArchiveLimits, signal: AbortSignal) {
    signal.throwIfAborted();
    const { port1: port, port2 } = new MessageChannel();
    const task: ArchiveTask = { fd, limits, port: port2 };
    const running: Promise<Outcome<T>> = pool.run(task, { name, transferList: [port2] });
    running.catch(() => undefined);
    const close = () => port.close();
    signal.addEventListener('abort', close);
    const stop = async () => {
      signal.removeEventListener('abort', close);
      close();
      await running.catch(() => undefined);
    };
    return { port, running, stop };
  }

  return {
    async list(fd, limits, signal) {
      const { running, stop } = start<ArchiveList>('list', fd, limits, signal);
      try {
        return valueOf(await running);
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        await stop();
      }
    },
    async *read(fd, limits, signal) {
      const { port, running, stop } = start<void>('read', fd, limits, signal);
      try {
        for (;;) {
          const sent: Promise<ArchivedFile[]> = once(port, 'message');
          const [file] = await Promise.race([sent, running.then((outcome) => [valueOf(outcome)])]);
          if (!file) return;
          yield file;
          port.postMessage('taken');
        }
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        await stop();
      }
    },
    async close() {
      await pool.destroy();
    },
  };
}
