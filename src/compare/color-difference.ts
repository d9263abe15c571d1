/** CIE L*a*b* under daylight D65: lightness 0 to 100, green to red, blue to yellow. */
export type Lab = { l: number; a: number; b: number };

/** sRGB's transfer function (IEC 61966-2-1) for each value of a channel. */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});

/** The response of CIELAB: a cube root, straight near black. */
function respond(part: number): number {
  return part > 216 / 24_389 ? Math.cbrt(part) : (part * (24_389 / 27) + 16) / 116;
}

/** The color of an opaque sRGB pixel. */
export function toLab(red: number, green: number, blue: number): Lab {
  const [r, g, b] = [LINEAR[red] ?? 0, LINEAR[green] ?? 0, LINEAR[blue] ?? 0];
  const x = respond((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = respond(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = respond((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return { l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) };
}

const RADIANS = Math.PI / 180;

function hueOf(a: number, b: number): number {
  if (a === 0 && b === 0) return 0;
  const hue = Math.atan2(b, a) / RADIANS;
  return hue < 0 ? hue + 360 : hue;
}

/** From one hue to the other the shorter way, and the hue in the middle; degrees. */
function betweenHues(one: number, other: number, isGray: boolean): { turn: number; middle: number } {
  if (isGray) return { turn: 0, middle: one + other };
  const [apart, sum] = [other - one, one + other];
  if (Math.abs(apart) <= 180) return { turn: apart, middle: sum / 2 };
  return { turn: apart > 0 ? apart - 360 : apart + 360, middle: sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2 };
}

/** How well the eye distinguishes hues, by their angle. */
function weighHue(hue: number): number {
  const cosine = (degrees: number) => Math.cos(degrees * RADIANS);
  return 1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6) - 0.2 * cosine(4 * hue - 63);
}

const SEVENTH = 25 ** 7;

/**
 * The difference that a person sees between two colors: CIEDE2000, with all weights 1 (Sharma, Wu and Dalal: The
 * CIEDE2000 color-difference formula, Color Research and Application 30, 2005). About 1 is the smallest difference that
 * an eye can see between adjacent areas. From 2 on it is visible at a glance.
 */
export function colorDifference(one: Lab, other: Lab): number {
  const mean = (Math.hypot(one.a, one.b) + Math.hypot(other.a, other.b)) / 2;
  const stretch = 1.5 - 0.5 * Math.sqrt(mean ** 7 / (mean ** 7 + SEVENTH));
  const [a, otherA] = [one.a * stretch, other.a * stretch];
  const [chroma, otherChroma] = [Math.hypot(a, one.b), Math.hypot(otherA, other.b)];
  const hues = betweenHues(hueOf(a, one.b), hueOf(otherA, other.b), chroma * otherChroma === 0);
  const light = ((one.l + other.l) / 2 - 50) ** 2;
  const middle = (chroma + otherChroma) / 2;
  const lightness = (other.l - one.l) / (1 + (0.015 * light) / Math.sqrt(20 + light));
  const colorfulness = (otherChroma - chroma) / (1 + 0.045 * middle);
  const turn = 2 * Math.sqrt(chroma * otherChroma) * Math.sin((hues.turn / 2) * RADIANS);
  const hue = turn / (1 + 0.015 * middle * weighHue(hues.middle));
  const blueness = 60 * Math.exp(-(((hues.middle - 275) / 25) ** 2));
  const twist = -2 * Math.sqrt(middle ** 7 / (middle ** 7 + SEVENTH)) * Math.sin(blueness * RADIANS);
  return Math.sqrt(lightness ** 2 + colorfulness ** 2 + hue ** 2 + twist * colorfulness * hue);
}
