import { open } from 'node:fs/promises';

/** A file that was made, renamed or linked outlasts a power failure only once the directory that holds it is synced. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
