import { isShift, type Shift } from './layout-cascade.ts';
import type { Region } from './region.ts';

const round = (value: number, scale: number) => Math.round((2 * value) / scale) / 2;

export function describeSize({ width, height }: Shift, scale: number): { summary: string; what: string } {
  const [wider, higher] = [round(width, scale), round(height, scale)];
  const parts = [
    ...(isShift(height) ? [`${Math.abs(higher)} px ${higher > 0 ? 'taller' : 'shorter'}`] : []),
    ...(isShift(width) ? [`${Math.abs(wider)} px ${wider > 0 ? 'wider' : 'narrower'}`] : []),
  ];
  // For a picture. Widths often follow the viewport, so they distinguish changes only if the heights are equal.
  return { summary: parts.join(', '), what: isShift(height) ? `height ${higher}` : `width ${wider}` };
}

export function describePlace({ x, y }: Shift, scale: number): { summary: string; what: string } {
  const [right, down] = [round(x, scale), round(y, scale)];
  const parts = [
    ...(isShift(y) ? [`${Math.abs(down)} px ${down > 0 ? 'down' : 'up'}`] : []),
    ...(isShift(x) ? [`${Math.abs(right)} px to the ${right > 0 ? 'right' : 'left'}`] : []),
  ];
  const what = [...(isShift(y) ? [`y ${down}`] : []), ...(isShift(x) ? [`x ${right}`] : [])].join(' ');
  return { summary: `moved ${parts.join(', ')}`, what };
}

export const formatSize = ({ width, height }: Region, scale: number) =>
  `${round(width, scale)} × ${round(height, scale)} px`;
