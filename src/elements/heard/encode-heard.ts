import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import type { Heard, HeardNode } from './heard-tree.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A longer one is damaged: captures keep trees below 1 MiB. */
const MAX_DECODED = 16 * 1024 * 1024;

/** Higher levels save little and take much longer. */
const QUALITY = 5;

/** A row for each node, in the order of the tree, so that deep pages need no deep recursion to be read. */
const Row = z.tuple([z.number(), z.string(), z.string(), z.record(z.string(), z.string()), z.boolean()]);
const File = z.object({
  version: z.literal(1),
  loads: z.array(z.array(Row).min(1)).min(1),
});
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

/** A few KiB for a usual page. Equal trees have equal bytes. */
export async function encodeHeard({ loads }: Heard): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  const file: z.input<typeof File> = { version: 1, loads: loads.map(toRows) };
  return compress(JSON.stringify(file), { params });
}

/** @throws Error when the bytes are not those of an accessibility tree. */
export async function decodeHeard(bytes: Buffer): Promise<Heard> {
  try {
    const json = await decompress(bytes, { maxOutputLength: MAX_DECODED });
    return {
      loads: File.parse(JSON.parse(json.toString('utf8'))).loads.map(fromRows),
    };
  } catch (cause) {
    throw new Error('The accessibility tree cannot be read', { cause });
  }
}
