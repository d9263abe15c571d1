import type { BlinkSpeed, OverlayColor, Preferences } from '../../auth/preferences.ts';
import { BLINK_SPEEDS, OVERLAY_COLORS } from '../../auth/preferences.ts';

/** What marks a differing pixel. People who are color-blind can tell them apart, too: a test sees them so. */
export const OVERLAY: Record<OverlayColor, { label: string; color: string }> = {
  magenta: { label: 'Magenta', color: '#e0218a' },
  orange: { label: 'Orange', color: '#ffa600' },
  green: { label: 'Green', color: '#00662b' },
  cyan: { label: 'Cyan', color: '#19e6e6' },
};

const SPEED_LABELS: Record<BlinkSpeed, string> = { slow: 'Slow', medium: 'Medium', fast: 'Fast' };

/** What the settings of the modes `overlay` and `blink` print. */
export type OverlaySettings = {
  /** The chosen color, and how opaque it is from 0 to 1. */
  color: string;
  alpha: number;
  /** In percent. */
  opacity: number;
  colors: { value: string; label: string; color: string; current: boolean }[];
  speed: BlinkSpeed;
  speeds: { value: string; label: string; current: boolean }[];
};

export function overlaySettings({ overlayColor, overlayOpacity, blinkSpeed }: Preferences): OverlaySettings {
  return {
    color: OVERLAY[overlayColor].color,
    alpha: overlayOpacity / 100,
    opacity: overlayOpacity,
    colors: OVERLAY_COLORS.map((value) => ({ value, ...OVERLAY[value], current: value === overlayColor })),
    speed: blinkSpeed,
    speeds: BLINK_SPEEDS.map((value) => ({ value, label: SPEED_LABELS[value], current: value === blinkSpeed })),
  };
}
