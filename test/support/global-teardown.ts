import { rm } from 'node:fs/promises';
import { running } from './running.ts';

export default async function globalTeardown(): Promise<void> {
  for (const { dataDir, stop } of running) {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
