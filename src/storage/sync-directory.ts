import { open } from 'node:fs/promises';

/** A file that was created, renamed or linked survives a power failure only after its directory was synced. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
