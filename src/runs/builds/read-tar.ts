import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Parser } from 'tar';
import type { ReadEntry } from 'tar';
import type { ArchiveEntry } from './archive-entry.ts';
import { refused, shownPath } from './build-path.ts';

function kindOf({ type }: ReadEntry): ArchiveEntry['kind'] {
  if (type === 'File' || type === 'OldFile' || type === 'ContiguousFile') return 'file';
  return type === 'Directory' || type === 'GNUDumpDir' ? 'directory' : 'other';
}

/** Feeds the parser no faster than entries are read. */
async function feed(parser: Parser, tar: Readable): Promise<void> {
  for await (const chunk of tar) {
    if (!parser.write(chunk)) await once(parser, 'drain');
  }
  parser.end();
}

/** What the parser has said, and a way to wait for it to say more. */
function listen(parser: Parser, tar: Readable) {
  const heard: { entries: ReadEntry[]; open: ReadEntry | null; failure: Error | null; ended: boolean } = {
    entries: [],
    open: null,
    failure: null,
    ended: false,
  };
  let wake = () => {};
  const fail = (error: unknown) => {
    heard.failure ??= error instanceof Error ? error : new Error('The tar is not readable', { cause: error });
    // Whoever is reading an entry would wait for the rest of it forever.
    heard.open?.destroy(heard.failure);
    wake();
  };
  parser.on('entry', (entry: ReadEntry) => {
    heard.entries.push(entry);
    wake();
  });
  // The parser leaves out what it does not know, such as parts of a sparse file, and headers that are very long.
  parser.on('ignoredEntry', ({ path, type }: ReadEntry) => {
    fail(refused(`${shownPath(path)} cannot be read: it is a ${type}, or its header is too long`));
  });
  parser.on('error', fail);
  parser.on('end', () => {
    heard.ended = true;
    wake();
  });
  feed(parser, tar).catch(fail);
  const more = async () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return { heard, more };
}

/** The entries of a tar stream. One that is not read is skipped when the next is asked for. */
export async function* readTar(tar: Readable): AsyncGenerator<ArchiveEntry> {
  const { heard, more } = listen(new Parser({ strict: true }), tar);
  try {
    for (;;) {
      const entry = heard.entries.shift();
      if (entry !== undefined) {
        heard.open = entry;
        yield { path: entry.path, kind: kindOf(entry), size: entry.size, sum: null, content: () => entry };
        heard.open = null;
        if (!entry.emittedEnd) entry.resume();
      } else if (heard.failure !== null) throw heard.failure;
      else if (heard.ended) return;
      else await more();
    }
  } finally {
    heard.open = null;
    tar.destroy();
  }
}
