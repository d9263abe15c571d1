import sharp from 'sharp';

const WIDTH = 1280;
const SECTION = 1000;
const PHOTO = { width: 1280, height: 420 };

const WORDS =
  'night railway timetable departures platform carriage lantern signal winter harbour ticket luggage conductor whistle'.split(
    ' ',
  );

/** The same numbers for the same seed, from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** As detailed as a photograph: grain over large shapes. */
async function paintPhoto(random: () => number): Promise<Buffer> {
  const { width, height } = PHOTO;
  const pixels = Buffer.alloc(width * height * 3);
  const [red, green, blue] = [random(), random(), random()].map((share) => 60 + share * 120);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 3) {
      const shape = 50 * Math.sin(x / 90 + (red ?? 0)) * Math.cos(y / 60);
      const grain = random() * 12;
      pixels[at] = (red ?? 0) + shape + grain;
      pixels[at + 1] = (green ?? 0) + shape + grain;
      pixels[at + 2] = (blue ?? 0) - shape + grain;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .blur(0.9)
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** A heading, two columns of text, and a photograph. `changed`: a line of it has another color and other words. */
async function paintSection(seed: number, height: number, changed: boolean): Promise<Buffer> {
  const random = randomFrom(seed);
  const photo = height === SECTION ? [{ input: await paintPhoto(random), left: 0, top: SECTION - PHOTO.height }] : [];
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
  const line = (at: number) => {
    const isOther = changed && at === 6;
    const [x, y] = [at % 2 === 0 ? 60 : 680, 130 + Math.floor(at / 2) * 30];
    return `<text x="${x}" y="${y}" font-size="16" fill="${isOther ? '#cf222e' : '#1f2328'}">${words(8)}</text>`;
  };
  const lines = Array.from({ length: 28 }, (_, at) => line(at));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="Liberation Sans, sans-serif"><rect width="100%" height="100%" fill="#fff"/><text x="60" y="70" font-size="36">${words(4)}</text>${lines.join('')}</svg>`;
  return sharp(Buffer.from(svg)).composite(photo).removeAlpha().png({ compressionLevel: 1 }).toBuffer();
}

/**
 * A screenshot of a page of text and photographs, 1280 px wide. Other seeds give other pages.
 * @param changed which of its sections, each of 1000 px, are not as they were
 */
export async function paintPage(height: number, seed: number, changed: number[] = []): Promise<Buffer> {
  const tops = Array.from({ length: Math.ceil(height / SECTION) }, (_, at) => at * SECTION);
  const sections = await Promise.all(
    tops.map(async (top, at) => ({
      input: await paintSection(seed * 1000 + at, Math.min(SECTION, height - top), changed.includes(at)),
      left: 0,
      top,
    })),
  );
  return sharp({ create: { width: WIDTH, height, channels: 3, background: '#ffffff' } })
    .composite(sections)
    .png({ compressionLevel: 3 })
    .toBuffer();
}
