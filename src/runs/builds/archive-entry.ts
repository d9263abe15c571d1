/** An entry of an archive, before anything about it is believed. */
export type ArchiveEntry = {
  path: string;
  kind: 'file' | 'directory' | 'other';
  /** Bytes, as the archive says. */
  size: number;
  /** CRC-32 of the content, as the archive says. Null: it does not say. */
  sum: number | null;
  content: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>;
};
