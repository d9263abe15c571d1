import type { ChangeKind } from '../../elements/page-change.ts';
import type { Badge } from '../badge.ts';

const muted = (label: string, icon: string): Badge => ({ label, tone: 'muted', icon });

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
