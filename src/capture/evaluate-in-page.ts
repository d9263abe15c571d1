import type { CDPSession, Frame, Page } from 'playwright';
import { errorMessage } from '../errors.ts';
import type { OpenPage } from './open-page.ts';

/** The document was replaced while we were using it, because the page navigated. */
export class DocumentReplaced extends Error {}

/** A page whose scripts block it for this many ms counts as hanging. */
const RESPONSE_MS = 5000;

const HANGS = 'The page stopped responding because its scripts never pause';

/** Chromium's error messages for an execution context whose document was replaced. */
const REPLACED =
  /context with specified id|context was destroyed|uniqueContextId not found|Inspected target navigated|Not attached to an active page/i;

type Evaluated = {
  result: { value?: unknown };
  exceptionDetails?: { text: string; exception?: { description?: string } };
};

/** The execution contexts of our worlds, and the documents (as `documents`) that they belong to. */
const worlds = new WeakMap<CDPSession, { document: number; context: number }>();

/** Runs work on a document that may be replaced at any moment. @throws DocumentReplaced if it was. */
export async function inDocument<T>({ cdp }: Pick<OpenPage, 'cdp'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!REPLACED.test(errorMessage(error))) throw error;
    worlds.delete(cdp);
    throw new DocumentReplaced('The page moved on', { cause: error });
  }
}

/** The result of `work` on a document. Null if the document was replaced meanwhile. */
export async function unlessReplaced<T>(work: Promise<T>): Promise<{ value: T } | null> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => {
      if (error instanceof DocumentReplaced) return null;
      throw error;
    },
  );
}

function unwrapValue({ result, exceptionDetails }: Evaluated): unknown {
  if (exceptionDetails === undefined) return result.value;
  throw new Error(`The page script failed: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
}

/** Our isolated world of the page's document, by its execution context. */
async function openWorld({ cdp, guard, frameId, navigation }: OpenPage): Promise<number> {
  const document = navigation.documents();
  const known = worlds.get(cdp);
  if (known?.document === document) return known.context;
  const world = cdp.send('Page.createIsolatedWorld', { frameId, worldName: 'pixelgate' });
  const { executionContextId: context } = await guard.within(world, RESPONSE_MS, HANGS);
  worlds.set(cdp, { document, context });
  return context;
}

/** Calls a function (source text) with a node as `this`, in the page's own world or in ours, unless the node is gone. */
export async function callOnNode(
  open: OpenPage,
  backendNodeId: number,
  functionDeclaration: string,
  world: 'page' | 'ours',
): Promise<void> {
  const { cdp, guard } = open;
  const place = world === 'ours' ? { executionContextId: await inDocument(open, async () => openWorld(open)) } : {};
  const calling = cdp
    .send('DOM.resolveNode', { backendNodeId, ...place })
    .then(async ({ object: { objectId } }) =>
      objectId === undefined ? null : cdp.send('Runtime.callFunctionOn', { functionDeclaration, objectId }),
    );
  await guard.within(
    calling.catch(() => null),
    RESPONSE_MS,
    HANGS,
  );
}

/**
 * Evaluates an expression in an isolated world, which the page's scripts can't affect. Returns its value, awaited and
 * passed as JSON. `bound` is how long the expression itself may take, ms.
 * @throws CaptureError when the page hangs, DocumentReplaced when the page navigated.
 */
export async function evaluateInPage(open: OpenPage, expression: string, bound: number): Promise<unknown> {
  const { cdp, guard } = open;
  return inDocument(open, async () => {
    const work = cdp.send('Runtime.evaluate', {
      expression,
      contextId: await openWorld(open),
      awaitPromise: true,
      returnByValue: true,
    });
    return unwrapValue(await guard.within(work, bound + RESPONSE_MS, HANGS));
  });
}

/**
 * Evaluates an expression in the page's own world. Returns its value, awaited and passed as JSON; undefined when it
 * failed there. The functions of the console are available.
 * @throws CaptureError when the page hangs, DocumentReplaced when the page navigated.
 */
async function evaluateInMainWorld(open: OpenPage, expression: string): Promise<unknown> {
  const { cdp, guard } = open;
  return inDocument(open, async () => {
    const work = cdp.send('Runtime.evaluate', {
      expression,
      includeCommandLineAPI: true,
      awaitPromise: true,
      returnByValue: true,
    });
    const { result, exceptionDetails } = await guard.within(work, RESPONSE_MS, HANGS);
    return exceptionDetails === undefined ? result.value : undefined;
  });
}

/** All frames in the page, at any depth. */
export const innerFrames = (page: Page): Frame[] => page.frames().filter((frame) => frame !== page.mainFrame());

/** Frames that did not respond in time. */
export const silent = new WeakSet<Frame>();

/** Frames that may answer. A frame without an address, not even a blank one, never does: its document has not come. */
export const answeringFrames = (page: Page): Frame[] =>
  innerFrames(page).filter((frame) => frame.url() !== '' || !silent.has(frame));

/** A frame that does not answer in this time does not count, ms. */
const FRAME_MS = 1000;

/** Evaluates an expression in the page's own world and in that of each frame: the values, undefined where it failed. */
export async function evaluateInFrames(open: OpenPage, expression: string): Promise<unknown[]> {
  const { page, guard } = open;
  const frames = answeringFrames(page);
  const [main, inner] = await Promise.all([
    evaluateInMainWorld(open, expression),
    Promise.allSettled(frames.map(async (frame) => guard.within(frame.evaluate(expression), FRAME_MS, 'late'))),
  ]);
  return [main, ...inner.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined))];
}
