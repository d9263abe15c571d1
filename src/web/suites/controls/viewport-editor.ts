import type { Setting, SettingValue } from '../../../suites/config/config-field.ts';
import { DEFAULT_CONFIG, type SuiteConfig } from '../../../suites/config/suite-config.ts';
import { describeViewport, VIEWPORT, VIEWPORTS_MAX, type Viewport } from '../../../suites/config/viewport.ts';
import {
  buildControl,
  buildField,
  type Field,
  type NamedFieldSpec,
  type Problem,
  type Typed,
} from '../../form-field.ts';
import { readSetting, settingField } from './setting-control.ts';

const TABLET = VIEWPORT.complete({ name: 'tablet', width: 768, height: 1024 });

const [DESKTOP, MOBILE] = DEFAULT_CONFIG.viewports;
const of = (...viewports: (Viewport | undefined)[]) => viewports.filter((viewport) => viewport !== undefined);
/** @param viewports null: the default. The suite then also follows later changes to the default. */
const preset = (value: string, label: string, viewports: Viewport[] | null) => ({
  value,
  label: `${label} (${(viewports ?? DEFAULT_CONFIG.viewports).map(describeViewport).join(', ')})`,
  viewports,
});

/** The viewports offered for a new suite. Others can be set in its settings. */
export const VIEWPORT_PRESETS = [
  preset('default', 'Desktop and mobile', null),
  preset('desktop', 'Desktop only', of(DESKTOP)),
  preset('mobile', 'Mobile only', of(MOBILE)),
  preset('three', 'Desktop, tablet and mobile', of(DESKTOP, TABLET, MOBILE)),
];

const PHONE = { width: 375, height: 812, touch: true };

function offer(label: string, set: Parameters<typeof VIEWPORT.complete>[0]) {
  const viewport = VIEWPORT.complete(set);
  return { label: `${label} (${viewport.width}×${viewport.height})`, viewport };
}

/** Viewports that the settings of a suite offer to add. */
const MORE_VIEWPORTS = [
  offer('Mobile, dark', { name: 'mobile-dark', ...PHONE, colorScheme: 'dark' }),
  offer('Mobile, high resolution', { name: 'mobile-2x', ...PHONE, deviceScaleFactor: 2 }),
  offer('Desktop, dark', { name: 'desktop-dark', width: 1280, height: 800, colorScheme: 'dark' }),
  offer('Tablet', { name: 'tablet', width: 768, height: 1024, touch: true }),
];

/** Reads more rows than allowed (a script can add them), so that the error message can state the maximum. */
const MOST_ROWS = 50;
const PARTS = VIEWPORT.settings('', null);
/** In the row itself. The other parts are folded below it. */
const IN_ROW = ['.name', '.width', '.height'];
/** The fields that are sent empty from an empty row. */
const TYPED_PARTS = PARTS.filter(({ control }) => control.kind === 'line' || control.kind === 'number');

/** The paths of the rows to keep: neither marked for removal nor completely empty. */
function keptRows(path: string, typed: Typed): string[] {
  return Array.from({ length: MOST_ROWS }, (_, index) => `${path}.${index}`).filter((row) => {
    const isEmpty = TYPED_PARTS.every((part) => (typed[row + part.path] ?? '').trim() === '');
    return !isEmpty && !(`${row}.remove` in typed);
  });
}

const presetName = (path: string) => `${path}.preset`;

function presetField(path: string, problem: Problem | null): Field {
  const options = [
    { value: '', label: 'None' },
    ...MORE_VIEWPORTS.map(({ label, viewport }) => ({ value: viewport.name, label })),
  ];
  const note = 'Added when you save. You can edit it later.';
  return buildField({ name: presetName(path), label: 'Add a preset', type: 'select', options, note }, problem);
}

/** Null when there are no rows. The default viewports are then used. */
export function readViewports(path: string, typed: Typed): unknown {
  const rows = keptRows(path, typed).map((row) => VIEWPORT.collect(row, (part) => readSetting(part, typed)));
  const added = MORE_VIEWPORTS.filter(({ viewport }) => viewport.name === typed[presetName(path)]);
  const all = [...rows, ...added.map(({ viewport }) => viewport)];
  return all.length === 0 ? null : all;
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

/** The settings besides the size, in words: `2×, dark, touch`. Empty for a plain screen. */
function describeMore(row: string, fields: Field[]): string {
  const find = (name: string) => fields.find((field) => field.name === `${row}.${name}`);
  const scale = find('deviceScaleFactor')?.value ?? '';
  const words = [
    scale === '' || scale === '1' ? '' : `${scale}×`,
    find('colorScheme')?.value ?? '',
    find('touch')?.checked === true ? 'touch' : '',
    (find('userAgent')?.value ?? '') === '' ? '' : 'custom user agent',
  ];
  return words.filter((word) => word !== '').join(', ');
}

function partSpec(part: SettingValue): NamedFieldSpec {
  const { note, ...spec } = settingField(part);
  const options = spec.type === 'select' ? [{ value: '', label: 'Same as the suite' }, ...(spec.options ?? [])] : [];
  return { ...spec, options, ...(note === undefined || note === '' ? {} : { note }) };
}

function rowAt(path: string, index: number, viewport: Viewport | null, problem: Problem | null) {
  const number = index + 1;
  const row = `${path}.${index}`;
  const parts = VIEWPORT.settings(row, viewport).map((part) => ({
    isInRow: IN_ROW.includes(part.path.slice(row.length)),
    part,
  }));
  const more = parts.filter(({ isInRow }) => !isInRow).map(({ part }) => buildControl(partSpec(part), problem));
  const extras = more.map(({ model }) => model);
  const fields = parts
    .filter(({ isInRow }) => isInRow)
    .map(({ part }) => {
      const { note: _aboveTheTable, ...spec } = settingField(part);
      return buildField({ ...spec, label: `${part.label} of viewport ${number}` }, problem);
    });
  return {
    number,
    isNew: false,
    remove: `${row}.remove`,
    name: fields.find((field) => field.name === `${row}.name`)?.value || `viewport ${number}`,
    fields,
    more: {
      summary: describeMore(row, extras),
      open: extras.some((field) => field.error !== null),
      controls: more,
    },
  };
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
    parts: PARTS.filter(({ path: part }) => IN_ROW.includes(part)).map(({ label, description: bounds }) => ({
      label,
      bounds,
    })),
    preset: presetField(path, problem),
    rows: [...rows, ...another],
  };
}
