import type { Viewport } from '../../suites/suite-config.ts';
import { MAX_VIEWPORTS } from '../../suites/suite-config.ts';
import type { Field, FieldSpec } from '../form-field.ts';
import { fieldOf } from '../form-field.ts';
import type { Problem, Typed } from '../problem.ts';
import { numberAttributes } from './number-field.ts';

const PREFIX = 'config.viewports';
/** Reads more rows than allowed (a script can add them), so that the refusal can state the maximum. */
const MOST_ROWS = 50;
const PARTS = ['name', 'width', 'height'] as const;

type TypedRow = Record<(typeof PARTS)[number], string>;

const nameOf = (index: number, part: string) => `${PREFIX}.${index}.${part}`;

/** The rows to keep: neither marked for removal nor completely empty. */
function typedRows(typed: Typed): TypedRow[] {
  return Array.from({ length: MOST_ROWS }, (_, index) => index).flatMap((index) => {
    const of = (part: string) => (typed[nameOf(index, part)] ?? '').trim();
    const row = { name: of('name'), width: of('width'), height: of('height') };
    const isLeftOut = nameOf(index, 'remove') in typed || PARTS.every((part) => row[part] === '');
    return isLeftOut ? [] : [row];
  });
}

/** Null when there are no rows: the default viewports. The domain refuses what is not a number. */
export function viewportsOf(typed: Typed): { name: string; width: number; height: number }[] | null {
  const rows = typedRows(typed);
  const number = (text: string) => (text === '' ? Number.NaN : Number(text));
  return rows.length === 0
    ? null
    : rows.map(({ name, width, height }) => ({ name, width: number(width), height: number(height) }));
}

/** As typed, in the order in which the domain counted the rows, so that its issues are at the right ones. */
function renumbered(problem: Problem): Problem {
  const typed = Object.fromEntries(
    typedRows(problem.typed).flatMap((row, index) => PARTS.map((part) => [nameOf(index, part), row[part]])),
  );
  return { ...problem, typed };
}

export type ViewportRow = { number: number; isNew: boolean; remove: string; name: Field; width: Field; height: Field };

function rowOf(index: number, viewport: Viewport | null, isNew: boolean, problem: Problem | null): ViewportRow {
  const number = index + 1;
  const field = (part: string, spec: Omit<FieldSpec, 'name' | 'label'>) =>
    fieldOf({ ...spec, name: nameOf(index, part), label: `${part} of viewport ${number}` }, problem);
  const name = field('name', {
    value: viewport?.name ?? '',
    attributes: { maxlength: 64, pattern: String.raw`[A-Za-z0-9._\-]+`, autocomplete: 'off', spellcheck: 'false' },
  });
  const width = field('width', { type: 'number', value: viewport?.width ?? '', attributes: numberAttributes('width') });
  const height = field('height', {
    type: 'number',
    value: viewport?.height ?? '',
    attributes: numberAttributes('height'),
  });
  return { number, isNew, remove: nameOf(index, 'remove'), name, width, height };
}

/** One row for each viewport, and an empty row while another one is allowed. */
export function viewportRows(viewports: Viewport[], problem: Problem | null): ViewportRow[] {
  const own = problem === null ? null : renumbered(problem);
  const count = problem === null ? viewports.length : typedRows(problem.typed).length;
  const rows = Array.from({ length: count }, (_, index) => rowOf(index, viewports[index] ?? null, false, own));
  return count < MAX_VIEWPORTS ? [...rows, rowOf(count, null, true, own)] : rows;
}
