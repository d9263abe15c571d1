import { expect, it } from '@jest/globals';
import type { Lab } from '../../src/compare/color-difference.ts';
import { colorDifference, toLab } from '../../src/compare/color-difference.ts';
import { OVERLAY } from '../../src/web/review/overlay.ts';

type Row = [number, number, number];

/**
 * How linear RGB is seen, by kind of color blindness (Machado, Oliveira and Fernandes: A Physiologically-based Model for
 * Simulation of Color Vision Deficiency, 2009, severity 1).
 */
const SEEN: Record<string, Row[]> = {
  'most people': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

function seenAs(color: string, seen: Row[]): Lab {
  const [red, green, blue] = [1, 3, 5].map((at) => toLinear(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  const channels = seen.map(([r, g, b]) => r * (red ?? 0) + g * (green ?? 0) + b * (blue ?? 0));
  const [x = 0, y = 0, z = 0] = channels.map((value) => Math.round(255 * fromLinear(Math.max(0, Math.min(1, value)))));
  return toLab(x, y, z);
}

it.each(Object.entries(SEEN))('marks differences in colors that %s can tell apart', (_, seen) => {
  const colors = Object.values(OVERLAY).map(({ color }) => seenAs(color, seen));
  const apart = colors.flatMap((one, at) => colors.slice(at + 1).map((other) => colorDifference(one, other)));
  expect(Math.min(...apart)).toBeGreaterThan(20);
});
