import { decodePng } from '../../src/png/codec.ts';

export type Color = [red: number, green: number, blue: number];

export type Pixels = {
  width: number;
  height: number;
  at(x: number, y: number): Color;
  /** The bounding box of all pixels of a color; null when there is none. */
  boxOf(color: Color): [x: number, y: number, width: number, height: number] | null;
};

export async function readPixels(png: Buffer): Promise<Pixels> {
  const { pixels: data, width, height } = await decodePng(png, 'captured');
  const at = (x: number, y: number): Color => {
    const [red = 0, green = 0, blue = 0] = data.subarray(4 * (width * y + x), 4 * (width * y + x) + 3);
    return [red, green, blue];
  };
  return {
    width,
    height,
    at,
    boxOf([red, green, blue]) {
      let box: { left: number; top: number; right: number; bottom: number } | null = null;
      for (let place = 0; place < data.length; place += 4) {
        if (data[place] !== red || data[place + 1] !== green || data[place + 2] !== blue) continue;
        const [x, y] = [(place / 4) % width, Math.floor(place / 4 / width)];
        box ??= { left: x, top: y, right: x, bottom: y };
        box = { ...box, left: Math.min(box.left, x), right: Math.max(box.right, x), bottom: y };
      }
      return box === null ? null : [box.left, box.top, box.right - box.left + 1, box.bottom - box.top + 1];
    },
  };
}
