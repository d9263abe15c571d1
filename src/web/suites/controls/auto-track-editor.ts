import { AUTO_TRACK_MOST, type AutoTrack } from '../../../suites/config/auto-track.ts';
import type { Setting } from '../../../suites/config/config-field.ts';
import { splitLines } from '../../../text/format.ts';
import { readNumber } from '../../../text/typed-number.ts';
import { buildField, toOptions, type Problem, type Typed } from '../../form-field.ts';

const MODES = toOptions({ all: 'All pages found', paths: 'Only some paths', off: 'Off: I select pages myself' });

/** The mode, the paths, and their limit. */
export function autoTrackFields(
  { path, label, description }: Setting,
  { autoTrack }: { autoTrack: AutoTrack },
  problem: Problem | null,
) {
  const some = typeof autoTrack === 'string' ? null : autoTrack;
  const chosen = typeof autoTrack === 'string' ? autoTrack : 'paths';
  const mode = { label, type: 'select' as const, options: MODES, note: description, issue: path };
  const paths = {
    label: 'Paths to track',
    type: 'textarea' as const,
    note: 'For “Only some paths”. One glob per line. A line that starts with ! excludes.',
    attributes: { rows: 3, spellcheck: 'false', placeholder: '/docs/**\n!/docs/archive/**' },
  };
  const limit = {
    label: 'Maximum tracked pages',
    type: 'number' as const,
    note: 'For “Only some paths”. If empty, the maximum number of pages.',
    attributes: { min: 1, max: AUTO_TRACK_MOST, step: 1 },
  };
  return {
    mode: buildField({ ...mode, name: `${path}.mode`, value: chosen }, problem),
    paths: buildField({ ...paths, name: `${path}.paths`, value: some?.paths.join('\n') ?? '' }, problem),
    limit: buildField({ ...limit, name: `${path}.limit`, value: some?.limit ?? null }, problem),
  };
}

/** Without a mode, null: the default. */
export function readAutoTrack(path: string, typed: Typed): unknown {
  const mode = typed[`${path}.mode`] ?? null;
  if (mode !== 'paths') return mode;
  const limit = (typed[`${path}.limit`] ?? '').trim();
  return {
    paths: splitLines(typed[`${path}.paths`] ?? ''),
    limit: limit === '' ? null : readNumber(limit),
  };
}
