/*
 * A font whose letters are boxes. It is built here, so that pages with fonts need none of the machine's.
 */

const [WIDTH, HEIGHT, UNITS] = [600, 700, 1000];
const [FIRST, LAST] = [32, 126];
/** One for what is unknown, then the characters in order. */
const GLYPHS = LAST - FIRST + 2;

/** Numbers of two bytes. */
function shorts(...values) {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xff_ff, 2 * index));
  return bytes;
}
const long = (value) => shorts(value >>> 16, value);
const times = (count, part) => Buffer.concat(Array.from({ length: count }, () => part));

/** One contour with four corners. */
const BOX = Buffer.concat([
  shorts(1, 50, 0, WIDTH - 50, HEIGHT, 3, 0),
  Buffer.from([1, 1, 1, 1]),
  shorts(50, WIDTH - 100, 0, 100 - WIDTH),
  shorts(0, 0, HEIGHT, 0),
]);

/** Format 4: one segment whose characters are the glyphs from the second on, and the last that there must be. */
const CHARACTERS = shorts(0, 1, 3, 1, 0, 12, 4, 32, 0, 4, 4, 1, 0, LAST, -1, 0, FIRST, -1, 1 - FIRST, 1, 0, 0);

/** Family and style, each of eight letters. */
const NAMES = Buffer.concat([
  shorts(0, 2, 30, 3, 1, 0x4_09, 1, 16, 0, 3, 1, 0x4_09, 2, 16, 0),
  Buffer.from('BoxesBoxRegular.', 'utf16le').swap16(),
]);

const TABLES = {
  'OS/2': Buffer.concat([
    shorts(4, WIDTH, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
    Buffer.alloc(10),
    Buffer.alloc(16),
    Buffer.from('BOXY'),
    shorts(64, FIRST, LAST, 800, -200, 0, 900, 200),
    Buffer.alloc(8),
    shorts(500, HEIGHT, 0, 32, 1),
  ]),
  cmap: CHARACTERS,
  glyf: times(GLYPHS, BOX),
  head: Buffer.concat([
    long(0x1_00_00),
    long(0x1_00_00),
    long(0),
    long(0x5f_0f_3c_f5),
    shorts(3, UNITS),
    Buffer.alloc(16),
    shorts(50, 0, WIDTH - 50, HEIGHT, 0, 8, 2, 0, 0),
  ]),
  hhea: Buffer.concat([long(0x1_00_00), shorts(800, -200, 0, WIDTH, 0, 0, WIDTH, 1), Buffer.alloc(14), shorts(1)]),
  hmtx: Buffer.concat([shorts(WIDTH, 50), times(GLYPHS - 1, shorts(50))]),
  loca: shorts(...Array.from({ length: GLYPHS + 1 }, (_, index) => (index * BOX.length) / 2)),
  maxp: Buffer.concat([long(0x1_00_00), shorts(GLYPHS, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]),
  name: NAMES,
  post: Buffer.concat([long(0x3_00_00), Buffer.alloc(28)]),
};

function sumOf(table) {
  const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}

/** A TrueType file. */
export function boxFont() {
  const tables = Object.entries(TABLES);
  let offset = 12 + 16 * tables.length;
  const directory = [];
  const bodies = [];
  for (const [tag, table] of tables) {
    directory.push(Buffer.from(tag), long(sumOf(table)), long(offset), long(table.length));
    const body = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    bodies.push(body);
    offset += body.length;
  }
  const power = Math.floor(Math.log2(tables.length));
  const search = shorts(tables.length, 16 * 2 ** power, power, 16 * (tables.length - 2 ** power));
  return Buffer.concat([long(0x1_00_00), search, ...directory, ...bodies]);
}
