import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const [WIDTH, HEIGHT] = [60, 40];
const DELAY_MS = 90;

/** Three frames; only the first has the color. */
async function makeFrames(color) {
  const frames = [color, 'white', 'black'].map((background) =>
    sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background } }),
  );
  return { png: async () => Promise.all(frames.map(async (frame) => frame.clone().png().toBuffer())), frames };
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}

const numbers = (...values) => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
};

/** Sharp writes no APNG. The first frame stands in IDAT, the others in fdAT, each after its fcTL. */
async function apng({ frames }) {
  const raw = await Promise.all(frames.map(async (frame) => frame.clone().raw().toBuffer()));
  let order = 0;
  const parts = raw.flatMap((pixels, index) => {
    const rows = Array.from({ length: HEIGHT }, (_, row) =>
      Buffer.concat([Buffer.from([0]), pixels.subarray(row * WIDTH * 3, (row + 1) * WIDTH * 3)]),
    );
    const data = deflateSync(Buffer.concat(rows));
    const timing = Buffer.concat([numbers(order, WIDTH, HEIGHT, 0, 0), Buffer.from([0, DELAY_MS, 3, 232, 0, 0])]);
    order += 1;
    if (index === 0) return [chunk('fcTL', timing), chunk('IDAT', data)];
    const shown = chunk('fdAT', Buffer.concat([numbers(order), data]));
    order += 1;
    return [chunk('fcTL', timing), shown];
  });
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', Buffer.concat([numbers(WIDTH, HEIGHT), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('acTL', numbers(raw.length, 0)),
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** `format`: gif, webp or png. */
export async function movingImage(color, format) {
  const made = await makeFrames(color);
  if (format === 'png') return apng(made);
  const moving = sharp(await made.png(), { join: { animated: true } });
  const delay = [DELAY_MS, DELAY_MS, DELAY_MS];
  return format === 'gif' ? moving.gif({ delay }).toBuffer() : moving.webp({ delay }).toBuffer();
}
