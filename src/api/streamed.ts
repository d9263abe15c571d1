import type { Response } from 'express';

/** A JSON object that is sent while its longest member is read. */
export type Streamed<T = object> = {
  /** The members before it, at least one. */
  before: Partial<T>;
  member: string;
  /** Its items as JSON, or with `isObject` its entries: `"name":value`. */
  batches: AsyncIterable<string[]>;
  isObject?: true;
  /** The members after it, at least one. */
  after?: () => Promise<Partial<T>>;
};

/** A file that is sent while it is read. */
export type StreamedFile = { name: string; type: string; texts: AsyncIterable<string> };

export const isStreamedFile = (body: unknown): body is StreamedFile =>
  typeof body === 'object' && body !== null && 'texts' in body && 'name' in body && 'type' in body;

export const isStreamed = (body: unknown): body is Streamed =>
  typeof body === 'object' && body !== null && 'batches' in body && 'before' in body;

/** Waits while the client is slow. False: it has left. */
async function write(res: Response, text: string): Promise<boolean> {
  if (res.closed) return false;
  if (res.write(text) || text === '') return true;
  await new Promise<void>((resolve) => {
    const goOn = () => {
      res.off('drain', goOn).off('close', goOn);
      resolve();
    };
    res.on('drain', goOn).on('close', goOn);
  });
  return !res.closed;
}

async function* writeJson({ before, member, batches, isObject, after }: Streamed): AsyncGenerator<string> {
  const [open, close] = isObject === true ? ['{', '}'] : ['[', ']'];
  let [text, isFirst] = [`${JSON.stringify(before).slice(0, -1)},${JSON.stringify(member)}:${open}`, true];
  for await (const batch of batches) {
    if (batch.length > 0) {
      text += `${isFirst ? '' : ','}${batch.join(',')}`;
      isFirst = false;
    }
    yield text;
    text = '';
  }
  const end = after === undefined ? '}' : `,${JSON.stringify(await after()).slice(1)}`;
  yield `${text}${close}${end}`;
}

/** Stops reading when the client has left. A failure before the first text is answered like any other. */
export async function sendStreamed(res: Response, body: Streamed | StreamedFile): Promise<void> {
  const isFile = 'texts' in body;
  for await (const text of isFile ? body.texts : writeJson(body)) {
    if (!res.headersSent) {
      if (isFile) res.attachment(body.name).type(body.type);
      else res.type('json');
    }
    if (!(await write(res, text))) return;
  }
  res.end();
}
