/** An entry of an archive, before anything about it is believed. */
export type ArchiveEntry = {
  path: string;
  kind: 'file' | 'directory' | 'other';
  /** Bytes, as the archive says. */
  size: number;
  content: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>;
};
