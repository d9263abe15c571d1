import type { HeardNode } from '../../elements/heard/heard-tree.ts';
import { collapse, NAMED_BY_TEXT, shortenText } from '../element-map/element-semantics.ts';

type Property = { name: string; value: { value?: unknown; relatedNodes?: unknown[] } };

/** A node of the browser's accessibility tree, as in the protocol. */
type ProtocolNode = {
  nodeId: string;
  ignored: boolean;
  ignoredReasons?: { name: string }[];
  role?: { value?: unknown };
  name?: { value?: unknown };
  description?: { value?: unknown };
  value?: { value?: unknown };
  properties?: Property[];
  childIds?: string[];
  backendDOMNodeId?: number;
};

/**
 * The tree of a document. Nodes of the DOM that rules leave out, what others tell by attributes that the tree lacks, and
 * the documents of frames by their owner.
 */
export type DocumentReading = {
  nodes: ProtocolNode[];
  leftOut: ReadonlySet<number>;
  told: ReadonlyMap<number, Record<string, string>>;
  frames: ReadonlyMap<number, DocumentReading>;
};

/** Later parts of a larger page are not read. */
const MAX_NODES = 20_000;
/** Of all texts together, so that a tree stays below 1 MiB before compression. */
const MAX_CHARACTERS = 700_000;
/** Deeper content belongs to the part at this depth. */
const MAX_DEPTH = 200;

/** Parts with these roles are told only if they have a name or a state. */
const PLAIN = new Set(['', 'none', 'generic', 'presentation', 'InlineTextBox', 'GenericContainer']);

/** Drawn, but not told: a number before a list item would change with each item that is inserted before it. */
const UNTOLD = new Set(['ListMarker', 'LineBreak', 'InlineTextBox']);

/** Their value stands for the text in them. */
const FIELDS = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox']);

/** What assistive technology is told besides role and name. */
const STATES = new Set([
  'atomic',
  'autocomplete',
  'busy',
  'checked',
  'disabled',
  'errormessage',
  'expanded',
  'focusable',
  'hasPopup',
  'invalid',
  'keyshortcuts',
  'level',
  'live',
  'modal',
  'multiline',
  'multiselectable',
  'orientation',
  'pressed',
  'readonly',
  'relevant',
  'required',
  'roledescription',
  'selected',
  'valuemax',
  'valuemin',
  'valuetext',
]);

/** States of which `false` is told as well. */
const TWO_WAYS = new Set(['checked', 'expanded', 'pressed', 'selected']);

/** States of a region, such as a live one, which may be repeated for everything in it. */
const OF_REGION = ['atomic', 'busy', 'language', 'live', 'relevant'];

function textOf(value: { value?: unknown } | undefined): string {
  const given = value?.value;
  const isText = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
  return isText ? shortenText(collapse(String(given))) : '';
}

/** Error messages are given by their ids, which may differ from build to build. Their words are told where they are. */
function readProperty({ name, value }: Property): [string, string] {
  if (name !== 'errormessage') return [name, textOf(value)];
  return [name, String((value.relatedNodes ?? []).length > 0)];
}

function readStates(
  { properties = [], description, value }: ProtocolNode,
  attributes: Record<string, string>,
): Record<string, string> {
  const told = properties
    .filter(({ name }) => STATES.has(name))
    .map(readProperty)
    .filter(([name, state]) => state !== '' && (state !== 'false' || TWO_WAYS.has(name)));
  const others = [['description', textOf(description)], ['value', textOf(value)], ...Object.entries(attributes)].filter(
    ([, text]) => text !== '',
  );
  return Object.fromEntries([...told, ...others].toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)));
}

/** Around a node: the part it belongs to, the states of its region, and whether a name stands for its text. */
type Around = {
  parent: HeardNode;
  depth: number;
  region: Record<string, string>;
  isNamed: boolean;
};

type Building = { left: number; characters: number };

type Due = { node: ProtocolNode; of: Tree; around: Around };

type Tree = DocumentReading & { byId: Map<string, ProtocolNode> };

function openTree(reading: DocumentReading): Tree {
  return {
    ...reading,
    byId: new Map(reading.nodes.map((node) => [node.nodeId, node])),
  };
}

const startPart = (role: string, name = ''): HeardNode => ({ role, name, states: {}, children: [], isLeftOut: false });

/** Adjacent texts are one, whatever elements they are in. */
function addText({ parent, isNamed }: Around, text: string): void {
  if (isNamed || text === '') return;
  const last = parent.children.at(-1);
  if (last?.role === 'text') last.name = shortenText(`${last.name} ${text}`);
  else parent.children.push(startPart('text', text));
}

function toPart({ node, of, around: { region } }: Due): HeardNode {
  const role = textOf(node.role);
  const states = readStates(node, of.told.get(node.backendDOMNodeId ?? -1) ?? {});
  for (const name of OF_REGION) if (states[name] === region[name]) delete states[name];
  if (role === 'RootWebArea') delete states['focusable'];
  return { ...startPart(role === 'none' ? 'generic' : role, textOf(node.name)), states };
}

/** Left out of the tree for another reason than that it is a plain part without a state. */
const isHidden = ({ ignored, ignoredReasons = [] }: ProtocolNode, { states }: HeardNode) =>
  ignored && (Object.keys(states).length === 0 || ignoredReasons.some(({ name }) => name !== 'uninteresting'));

/** Whether it is told by itself, not only by what is in it. */
const isTold = ({ role, name, states }: HeardNode) => !PLAIN.has(role) || name !== '' || Object.keys(states).length > 0;

/** Whether the text in it is told already. */
const isSaidBy = ({ role, name, states }: HeardNode) =>
  (NAMED_BY_TEXT.has(role) && name !== '') || (FIELDS.has(role) && states['value'] !== undefined);

/** Where what is in the node belongs: to itself, or to the part around it. Null: nowhere. */
function place(due: Due, building: Building): Around | null {
  const { node, of, around } = due;
  const role = textOf(node.role);
  if (UNTOLD.has(role)) return null;
  if (role === 'StaticText') {
    addText(around, textOf(node.name));
    return null;
  }
  if (node.backendDOMNodeId !== undefined && of.leftOut.has(node.backendDOMNodeId)) {
    around.parent.children.push({ ...startPart(role), isLeftOut: true });
    return null;
  }
  const part = toPart(due);
  if (isHidden(node, part) || !isTold(part)) return around;
  around.parent.children.push(part);
  building.characters -= JSON.stringify([part.name, part.states]).length;
  return {
    parent: around.depth < MAX_DEPTH ? part : around.parent,
    depth: around.depth + 1,
    region: { ...around.region, ...part.states },
    isNamed: around.isNamed || isSaidBy(part),
  };
}

/** The content of the node, or the document of the frame that it shows. */
function inside({ node, of }: Due): { node: ProtocolNode; of: Tree }[] {
  const frame = node.backendDOMNodeId === undefined ? undefined : of.frames.get(node.backendDOMNodeId);
  if (frame !== undefined) {
    const tree = openTree(frame);
    return tree.nodes.slice(0, 1).map((root) => ({ node: root, of: tree }));
  }
  return (node.childIds ?? []).flatMap((id) => {
    const child = of.byId.get(id);
    return child === undefined ? [] : [{ node: child, of }];
  });
}

/** What assistive technology is told of a page. */
export function buildHeardTree(reading: DocumentReading): HeardNode {
  const top = startPart('');
  const building: Building = { left: MAX_NODES, characters: MAX_CHARACTERS };
  const tree = openTree(reading);
  const around: Around = { parent: top, depth: 0, region: {}, isNamed: false };
  const waiting: Due[] = tree.nodes.slice(0, 1).map((node) => ({ node, of: tree, around }));
  for (let due = waiting.pop(); due !== undefined && building.left > 0; due = waiting.pop()) {
    building.left -= building.characters > 0 ? 1 : building.left;
    const next = place(due, building);
    if (next === null) continue;
    for (const child of inside(due).toReversed()) waiting.push({ ...child, around: next });
  }
  const [root] = top.children;
  return root !== undefined && top.children.length === 1 ? root : { ...top, role: 'RootWebArea' };
}
