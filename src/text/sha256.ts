import { createHash } from 'node:crypto';

/** SHA-256, 64 hex digits. */
export const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Stands for what a page shows of something. Whoever changes that says which version they have seen. */
export const versionOf = (shown: unknown): string => sha256Of(JSON.stringify(shown)).slice(0, 16);
