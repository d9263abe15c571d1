import type { Setting } from '../../suites/config-field.ts';
import type { SuiteConfig } from '../../suites/suite-config.ts';
import type { Viewport } from '../../suites/viewport.ts';
import { VIEWPORT, VIEWPORTS_MAX } from '../../suites/viewport.ts';
import type { Field } from '../form-field.ts';
import { buildField } from '../form-field.ts';
import type { Problem, Typed } from '../problem.ts';
import { readSetting, settingField } from './setting-control.ts';

/** Reads more rows than allowed (a script can add them), so that the error message can state the maximum. */
const MOST_ROWS = 50;
const PARTS = VIEWPORT.settings('', null);
/** The fields that are sent empty from an empty row. */
const TYPED_PARTS = PARTS.filter(({ control }) => control.kind === 'line' || control.kind === 'number');

/** The paths of the rows to keep: neither marked for removal nor completely empty. */
function keptRows(path: string, typed: Typed): string[] {
  return Array.from({ length: MOST_ROWS }, (_, index) => `${path}.${index}`).filter((row) => {
    const isEmpty = TYPED_PARTS.every((part) => (typed[row + part.path] ?? '').trim() === '');
    return !isEmpty && !(`${row}.remove` in typed);
  });
}

/** Null when there are no rows. The default viewports are then used. */
export function readViewports(path: string, typed: Typed): unknown {
  const rows = keptRows(path, typed).map((row) => VIEWPORT.collect(row, (part) => readSetting(part, typed)));
  return rows.length === 0 ? null : rows;
}

/** Numbers the typed rows in the order in which they were validated, so that each issue is shown at the right row. */
function renumbered(path: string, problem: Problem): Problem {
  const typed = Object.fromEntries(
    keptRows(path, problem.typed).flatMap((row, index) =>
      PARTS.flatMap((part) => {
        const text = problem.typed[row + part.path];
        return text === undefined ? [] : [[`${path}.${index}${part.path}`, text]];
      }),
    ),
  );
  return { ...problem, typed };
}

type Row = { number: number; isNew: boolean; remove: string; fields: Field[] };

function rowAt(path: string, index: number, viewport: Viewport | null, problem: Problem | null): Row {
  const number = index + 1;
  const row = `${path}.${index}`;
  const fields = VIEWPORT.settings(row, viewport).map((part) => {
    const { note: _aboveTheTable, ...spec } = settingField(part);
    return buildField({ ...spec, label: `${part.label} of viewport ${number}` }, problem);
  });
  return { number, isNew: false, remove: `${row}.remove`, fields };
}

/** One row for each viewport, and an empty row while another one is allowed. */
export function viewportTable({ path, description }: Setting, { viewports }: SuiteConfig, problem: Problem | null) {
  const own = problem === null ? null : renumbered(path, problem);
  const count = problem === null ? viewports.length : keptRows(path, problem.typed).length;
  const rows = Array.from({ length: count }, (_, index) => rowAt(path, index, viewports[index] ?? null, own));
  const another = count < VIEWPORTS_MAX ? [{ ...rowAt(path, count, null, own), isNew: true }] : [];
  return {
    note: description,
    error: problem?.fields[path] ?? null,
    most: VIEWPORTS_MAX,
    parts: PARTS.map(({ label, description: bounds }) => ({ label, bounds })),
    rows: [...rows, ...another],
  };
}
