import type { ChangeKind } from '../../elements/page-change.ts';
import type { Badge } from '../badge.ts';
import type { IconName } from '../icons.ts';

const muted = (label: string, icon: IconName): Badge => ({ label, tone: 'muted', icon });

export const CHANGE_BADGES: Record<ChangeKind, Badge> = {
  ADDED: muted('Added', 'plus-circle'),
  REMOVED: muted('Removed', 'circle-slash'),
  MOVED: muted('Moved', 'diff'),
  RESIZED: muted('Resized', 'diff'),
  RESTYLED: muted('Style', 'diff'),
  TEXT: muted('Text', 'log'),
  IMAGE: muted('Image', 'image'),
  PIXELS: muted('Pixels', 'eye'),
};
