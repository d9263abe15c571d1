import type { Setting } from '../../suites/config-field.ts';
import type { SuiteConfig } from '../../suites/suite-config.ts';
import type { Field } from '../form-field.ts';
import { buildField } from '../form-field.ts';
import type { Problem, Typed } from '../problem.ts';

const MODES = [
  { value: '', label: 'Off (real time)' },
  { value: 'fixed', label: 'Fixed (time stands still)' },
  { value: 'running', label: 'Running (from the date and time below)' },
];

/** The mode and the instant. */
export function clockFields(
  { path, label, description }: Setting,
  { clock }: SuiteConfig,
  problem: Problem | null,
): { mode: Field; at: Field } {
  const mode = { name: `${path}.mode`, label, type: 'select' as const, options: MODES, issue: path };
  const at = { name: `${path}.at`, label: 'Date and time', note: description };
  const attributes = { placeholder: '2026-01-01T12:00:00Z', autocomplete: 'off', spellcheck: 'false' };
  return {
    mode: buildField({ ...mode, value: clock?.mode ?? '' }, problem),
    at: buildField({ ...at, value: clock?.at ?? '', attributes }, problem),
  };
}

/** Null where the mode is off. */
export function readClock(path: string, typed: Typed): unknown {
  const mode = (typed[`${path}.mode`] ?? '').trim();
  return mode === '' ? null : { mode, at: (typed[`${path}.at`] ?? '').trim() };
}
