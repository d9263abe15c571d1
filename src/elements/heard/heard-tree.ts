import { z } from 'zod';
import { packJson, unpackJson } from '../encode-element-map.ts';

/**
 * A part of a page as assistive technology is told about it: what it is, what it is called, and its state. Hidden parts
 * are left out, and what is in them belongs to the part around them.
 */
export type HeardNode = {
  role: string;
  name: string;
  /** By name, in alphabetical order: `description`, `value`, `checked`, `level`. */
  states: Record<string, string>;
  children: HeardNode[];
  /** A rule of the suite masks or ignores it, with all that is in it. */
  isLeftOut: boolean;
};

/**
 * What is known of one screenshot: the tree of each load of the page that was looked at. A difference only counts if
 * all of them show it, so that a clock that no one sees makes no false alarm.
 */
export type Heard = { loads: HeardNode[] };

/** A row for each node, in the order of the tree, so that deep pages need no deep recursion to be read. */
const Row = z.tuple([z.number(), z.string(), z.string(), z.record(z.string(), z.string()), z.boolean()]);
const File = z.object({ version: z.literal(1), loads: z.array(z.array(Row).min(1)).min(1) });
type Row = z.infer<typeof Row>;

function toRows(root: HeardNode): Row[] {
  const rows: Row[] = [];
  const waiting: { node: HeardNode; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    rows.push([depth, node.role, node.name, node.states, node.isLeftOut]);
    for (const child of node.children.toReversed()) waiting.push({ node: child, depth: depth + 1 });
  }
  return rows;
}

function fromRows(rows: Row[]): HeardNode {
  const around: HeardNode[] = [];
  for (const [depth, role, name, states, isLeftOut] of rows) {
    const node: HeardNode = { role, name, states, children: [], isLeftOut };
    const parent = around[depth - 1];
    if (depth > around.length || (depth === 0) !== (around.length === 0)) throw new Error('A row has no parent');
    parent?.children.push(node);
    around.splice(depth, Number.POSITIVE_INFINITY, node);
  }
  const [root] = around;
  if (root === undefined) throw new Error('The tree is empty');
  return root;
}

export async function encodeHeard({ loads }: Heard): Promise<Buffer> {
  const file: z.input<typeof File> = { version: 1, loads: loads.map(toRows) };
  return packJson(file);
}

/** @throws Error when the bytes are not those of an accessibility tree. */
export async function decodeHeard(bytes: Buffer): Promise<Heard> {
  return unpackJson(bytes, 'accessibility tree', (json) => ({ loads: File.parse(json).loads.map(fromRows) }));
}
