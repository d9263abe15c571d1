import type { CDPSession } from 'playwright';
import type { HeardNode } from '../../elements/heard/heard-tree.ts';
import type { PageRules } from '../browser/capture-request.ts';
import { innerFrames } from '../evaluate-in-page.ts';
import type { OpenPage } from '../open-page.ts';
import { findExpression } from '../scripts/mask-script.ts';
import { buildHeardTree, type DocumentReading } from './build-heard-tree.ts';

const TREE_MS = 20_000;

/** Frames that are read, and nodes of a document that selectors find. */
const MAX_FRAMES = 100;
const MAX_FOUND = 1000;

/** Attributes that the browser tells assistive technology and leaves out of its tree, the state that each gives, and no state. */
const TOLD = [
  { attribute: 'lang', state: 'language', none: '' },
  { attribute: 'aria-current', state: 'current', none: 'false' },
  { attribute: 'aria-sort', state: 'sort', none: 'none' },
];

/** `owner`: the element that shows the frame, in the document of another session or of the same one. */
type Frame = { session: CDPSession; id: string };
type Owned = Frame & { owner: { session: CDPSession; node: number } | null };

type ProtocolFrames = { frame: { id: string }; childFrames?: ProtocolFrames[] };

const listIds = ({ frame, childFrames = [] }: ProtocolFrames): string[] => [frame.id, ...childFrames.flatMap(listIds)];

/** A session for each process that draws a part of the page: frames of other sites may have their own. */
async function openSessions({ page, cdp }: OpenPage): Promise<CDPSession[]> {
  const frames = innerFrames(page).slice(0, MAX_FRAMES);
  const context = page.context();
  const own = await Promise.all(frames.map(async (frame) => context.newCDPSession(frame).catch(() => null)));
  return [cdp, ...own.filter((session) => session !== null)];
}

async function listFrames(sessions: CDPSession[]): Promise<Frame[]> {
  const trees = await Promise.all(
    sessions.map(async (session) => {
      const { frameTree } = await session.send('Page.getFrameTree');
      return listIds(frameTree).map((id): Frame => ({ session, id }));
    }),
  );
  return trees.flat().slice(0, MAX_FRAMES);
}

async function findOwner(frame: Frame, sessions: CDPSession[]): Promise<Owned> {
  for (const session of sessions) {
    const found = await session.send('DOM.getFrameOwner', { frameId: frame.id }).catch(() => null);
    if (found !== null) return { ...frame, owner: { session, node: found.backendNodeId } };
  }
  return { ...frame, owner: null };
}

/** A node of the DOM, as in the protocol. */
type FoundNode = { backendNodeId: number; nodeName: string; attributes?: string[] };

async function findNodes({ session, id }: Frame, selectors: string[]): Promise<FoundNode[]> {
  if (selectors.length === 0) return [];
  const world = await session.send('Page.createIsolatedWorld', {
    frameId: id,
    worldName: 'pixelgate',
  });
  const { result: list } = await session.send('Runtime.evaluate', {
    expression: findExpression(selectors, MAX_FOUND),
    contextId: world.executionContextId,
  });
  if (list.objectId === undefined) return [];
  const listed = { objectId: list.objectId, ownProperties: true };
  const { result: entries } = await session.send('Runtime.getProperties', listed);
  const nodes = await Promise.all(
    entries.map(async ({ value }) => {
      if (value?.objectId === undefined || value.subtype !== 'node') return [];
      return [(await session.send('DOM.describeNode', { objectId: value.objectId })).node];
    }),
  );
  return nodes.flat();
}

function readTold({ attributes = [] }: FoundNode): Record<string, string> {
  const told = TOLD.flatMap(({ attribute, state, none }) => {
    const at = attributes.findIndex((name, index) => index % 2 === 0 && name === attribute);
    const value = at === -1 ? '' : (attributes[at + 1] ?? '');
    return value === '' || value === none ? [] : [[state, value]];
  });
  return Object.fromEntries(told);
}

type Read = {
  frame: Owned;
  reading: DocumentReading & { frames: Map<number, DocumentReading> };
};

async function readFrame(frame: Owned, selectors: string[]): Promise<Read> {
  const [{ nodes }, leftOut, telling] = await Promise.all([
    frame.session.send('Accessibility.getFullAXTree', { frameId: frame.id }),
    findNodes(frame, selectors),
    findNodes(
      frame,
      TOLD.map(({ attribute }) => `[${attribute}]`),
    ),
  ]);
  // The language of the root element is that of the page.
  const partOf = ({ nodeName, backendNodeId }: FoundNode) =>
    (nodeName === 'HTML' ? nodes[0]?.backendDOMNodeId : undefined) ?? backendNodeId;
  return {
    frame,
    reading: {
      nodes,
      leftOut: new Set(leftOut.map(({ backendNodeId }) => backendNodeId)),
      told: new Map(telling.map((node) => [partOf(node), readTold(node)])),
      frames: new Map(),
    },
  };
}

/** Puts the document of each frame where it is shown. */
function joinFrames(read: Read[]): void {
  for (const { frame, reading } of read) {
    const { owner } = frame;
    if (owner === null) continue;
    // The frame is in one of the documents of that process, whose nodes all have different numbers.
    for (const around of read) {
      const isThere = around.frame.session === owner.session && around.frame.id !== frame.id;
      if (isThere) around.reading.frames.set(owner.node, reading);
    }
  }
}

async function readPage(open: OpenPage, selectors: string[]): Promise<DocumentReading> {
  const sessions = await openSessions(open);
  try {
    const main: Owned = { session: open.cdp, id: open.frameId, owner: null };
    const all = open.page.frames().length > 1 ? await listFrames(sessions) : [];
    const frames = all.filter(({ id }) => id !== open.frameId);
    const owned = await Promise.all(frames.map(async (frame) => findOwner(frame, sessions)));
    const first = await readFrame(main, selectors);
    // A frame that has gone in the meantime is left out.
    const others = await Promise.all(owned.map(async (frame) => readFrame(frame, selectors).catch(() => null)));
    joinFrames([first, ...others.filter((each) => each !== null)]);
    return first.reading;
  } finally {
    for (const session of sessions.slice(1)) session.detach().catch(() => undefined);
  }
}

/**
 * What assistive technology is told of the page: the browser's own tree, with frames and shadow roots. What the rules
 * mask or ignore is marked; what they hide or remove is not in it.
 */
export async function takeHeardTree(
  open: OpenPage,
  { mask, ignore }: Pick<PageRules, 'mask' | 'ignore'>,
): Promise<HeardNode> {
  const late = 'The accessibility tree of the page could not be read in time';
  const reading = await open.guard.within(readPage(open, [...mask, ...ignore]), TREE_MS, late);
  return buildHeardTree(reading);
}
