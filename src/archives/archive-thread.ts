import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { ArchiveLimits } from './archive.ts';
import { listArchive, readArchive } from './read-archive.ts';

/*
 * Entry of the threads that read archives, so that the process can answer requests meanwhile (read-apart.ts).
 */

/** `port`: the other side closes it when nobody waits for the answer any more. */
export type ArchiveTask = { fd: number; limits: ArchiveLimits; port: MessagePort };

/** An AppError would arrive as an ordinary error. */
export type Outcome<T> = { value: T } | { refusal: Pick<AppError, 'kind' | 'message' | 'details'> };

async function toOutcome<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { kind, message, details } = error;
    return { refusal: { kind, message, details } };
  }
}

function whileOpen(port: MessagePort): AbortSignal {
  const controller = new AbortController();
  port.once('close', () => controller.abort());
  port.ref();
  return controller.signal;
}

async function send({ fd, limits, port }: ArchiveTask, signal: AbortSignal): Promise<void> {
  for await (const file of readArchive(fd, limits, signal)) {
    const isTaken = once(port, 'message', { signal });
    port.postMessage(file, [file.bytes.buffer]);
    await isTaken;
  }
}

async function untilDone<T>(port: MessagePort, work: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> {
  try {
    return await toOutcome(work(whileOpen(port)));
  } finally {
    port.close();
  }
}

export const list = async ({ fd, limits, port }: ArchiveTask) =>
  untilDone(port, async (signal) => listArchive(fd, limits, signal));

/** Sends the files to the port, each after the one before was received. */
export const read = async (task: ArchiveTask) => untilDone(task.port, async (signal) => send(task, signal));
