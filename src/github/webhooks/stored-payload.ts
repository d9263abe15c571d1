import { z } from 'zod';

/** What is stored of an event until it is handled. `event` has the fields of its shape. */
const StoredPayload = z.object({
  event: z.unknown(),
  /** The repository's default branch, and the time of GitHub's message. Null: unknown. */
  defaultBranch: z.string().nullable(),
  toldAt: z.string().nullable(),
  /** GitHub's number of the repository. */
  repositoryId: z.int().nullable(),
});
export type StoredPayload = z.output<typeof StoredPayload>;

export function toStoredPayload(payload: StoredPayload): string {
  return JSON.stringify(payload);
}

export function parseStoredPayload(text: string): StoredPayload {
  return StoredPayload.parse(JSON.parse(text));
}
