import { z } from 'zod';
import { CopiedSchema, CopiedTable } from '../db/copy-database.ts';

/** Stops `restore`. The message is for the person who called it. */
export class BackupError extends Error {}

/** A gzip file of the backup. `file`: its path in the directory. `sha256`: of the file as it is. */
export const PackedFile = z.object({ file: z.string().regex(/^database\/[\w.-]+\/[\w.-]+$/), sha256: z.string() });
export type PackedFile = z.infer<typeof PackedFile>;

export const MANIFEST = 'pixelgate-backup.json';

/** Written last, so that a directory has a whole backup or none. */
export const Manifest = z.object({
  format: z.literal(1),
  /** Of Pixelgate. */
  version: z.string(),
  takenAt: z.string(),
  schema: CopiedSchema,
  tables: z.array(z.object({ table: CopiedTable, packed: PackedFile })),
  /** A line for each object: its hash, two spaces, its name. */
  objects: PackedFile,
});
export type Manifest = z.infer<typeof Manifest>;
