import { lockedSettings } from '../../../suites/config-file/config-file.ts';
import type { ConfigSection, Setting, SettingValue } from '../../../suites/config/config-field.ts';
import type { Control } from '../../../suites/config/config-kind.ts';
import { SUITE_CONFIG, type SuiteConfig } from '../../../suites/config/suite-config.ts';
import type { Suite } from '../../../suites/suite.ts';
import { splitLines } from '../../../text/format.ts';
import { buildControl, buildField, toOptions, type Problem, type Typed } from '../../form-field.ts';
import { readRules, rulesEditor, type AboutRules } from '../../rules/rules-editor.ts';
import { autoTrackFields, readAutoTrack } from './auto-track-editor.ts';
import { readSetting, settingField } from './setting-control.ts';
import { readViewports, viewportTable } from './viewport-editor.ts';

/** The kinds of names, each with an example of a host. */
const NAMES = [
  { part: 'environment', label: 'Deployment environments', placeholder: 'Preview – docs' },
  { part: 'context', label: 'Commit status contexts', placeholder: 'netlify/docs/deploy-preview' },
  { part: 'check', label: 'Check names', placeholder: 'Workers Builds: docs' },
] as const;

/** A field for each kind of name, and one for the template of the address. */
function previewFields({ path, description }: Setting, { preview }: SuiteConfig, problem: Problem | null) {
  const names = NAMES.map(({ part, label, placeholder }) =>
    buildField(
      {
        name: `${path}.${part}`,
        label,
        type: 'textarea',
        value: preview?.[part].join('\n') ?? '',
        attributes: { rows: 2, spellcheck: 'false', placeholder },
      },
      problem,
    ),
  );
  const url = {
    name: `${path}.url`,
    label: 'Preview URL template',
    note: '{number}, {branch} and {sha} are replaced. With names above, this is used when their signal has no URL.',
    value: preview?.url ?? '',
    attributes: { placeholder: 'https://pr-{number}.example.app', autocomplete: 'off', spellcheck: 'false' },
  };
  const note = `${description} One glob per line, in any of these fields.`;
  return { note, names, url: buildField(url, problem) };
}

/** Null if nothing was typed. */
function readPreview(path: string, typed: Typed): unknown {
  const names = NAMES.map(({ part }) => {
    const text = typed[`${path}.${part}`] ?? '';
    return [part, splitLines(text)] as const;
  });
  const url = (typed[`${path}.url`] ?? '').trim();
  const isEmpty = url === '' && names.every(([, globs]) => globs.length === 0);
  return isEmpty ? null : { ...Object.fromEntries(names), url: url === '' ? null : url };
}

const MODES = toOptions({
  '': 'Off (real time)',
  fixed: 'Fixed (time stands still)',
  running: 'Running (from the date and time below)',
});

/** The mode and the instant. */
function clockFields({ path, label, description }: Setting, { clock }: SuiteConfig, problem: Problem | null) {
  const mode = { name: `${path}.mode`, label, type: 'select' as const, options: MODES, issue: path };
  const at = { name: `${path}.at`, label: 'Date and time', note: description };
  const attributes = { placeholder: '2026-01-01T12:00:00Z', autocomplete: 'off', spellcheck: 'false' };
  return {
    mode: buildField({ ...mode, value: clock?.mode ?? '' }, problem),
    at: buildField({ ...at, value: clock?.at ?? '', attributes }, problem),
  };
}

/** Null where the mode is off. */
function readClock(path: string, typed: Typed): unknown {
  const mode = (typed[`${path}.mode`] ?? '').trim();
  return mode === '' ? null : { mode, at: (typed[`${path}.at`] ?? '').trim() };
}

/** The name of the configuration in the form, in API bodies, and in the paths of issues. */
const ROOT = 'config';

/** A control with more than one element: what its partial prints, and how it is read. */
type Editor = {
  partial: string;
  model: (setting: Setting, config: SuiteConfig, problem: Problem | null, about: AboutRules) => object;
  read: (path: string, typed: Typed) => unknown;
};

type EditorName = Extract<Control, { kind: 'editor' }>['editor'];

const EDITORS: Record<EditorName, Editor> = {
  viewports: { partial: 'suites/viewport-table', model: viewportTable, read: readViewports },
  clock: { partial: 'suites/clock', model: clockFields, read: readClock },
  autoTrack: { partial: 'suites/auto-track', model: autoTrackFields, read: readAutoTrack },
  preview: { partial: 'suites/preview', model: previewFields, read: readPreview },
  rules: {
    partial: 'rules/list',
    model: ({ description }, config, problem, about) => ({
      note: description,
      editor: rulesEditor(config, problem, about),
    }),
    read: (_path, typed) => readRules(typed),
  },
};

type Section = { title: string; note: string };

/** In the order in which the page shows them. */
const SECTIONS: Record<ConfigSection, Section> = {
  viewports: { title: 'Viewports', note: 'The window sizes at which pages are captured.' },
  crawl: { title: 'Crawl', note: 'How the pages of the site are found.' },
  capture: { title: 'Capture', note: 'When to take a screenshot, and what it shows.' },
  emulation: { title: 'Emulation', note: 'Locale, time zone, clock and device settings that pages see.' },
  rules: { title: 'Rules', note: 'What to hide, mask, ignore, wait for or do on certain pages.' },
  compare: { title: 'Comparison', note: 'When a page counts as changed.' },
  gate: {
    title: 'Pull requests',
    note: 'Which pull requests are gated, where their previews are, and which differences count.',
  },
  keep: {
    title: 'Retention',
    note: 'When old runs are removed. Baselines and their history stay, and so do runs of open pull requests, runs that wait for a review, and the latest run of each page.',
  },
  pace: { title: 'Concurrency', note: 'How much work runs in parallel.' },
  badge: { title: 'Badge', note: 'For a README: whether the newest run of the site passed.' },
};

/**
 * The partial that prints a setting, and its model. `locked`: the location in the repository's file, if that sets it.
 */
type SettingControl = { partial: string; model: object; locked: { label: string; line: number; url: string } | null };

/** The settings that the repository's file sets, with their locations. */
function findLocks(file: Suite['configFile']): Map<string, { line: number; url: string }> {
  return new Map((file === null ? [] : lockedSettings(file)).map(({ path, ...at }) => [`${ROOT}.${path}`, at]));
}

function controlFor(
  setting: SettingValue,
  config: SuiteConfig,
  problem: Problem | null,
  about: AboutRules,
): Omit<SettingControl, 'locked'> {
  const { control } = setting;
  if (control.kind === 'editor') {
    const { partial, model } = EDITORS[control.editor];
    return { partial, model: model(setting, config, problem, about) };
  }
  return buildControl(settingField(setting), problem);
}

/** All settings of the configuration, by the sections of the page. */
export function configSections(
  { config, configFile, kind }: Pick<Suite, 'config' | 'configFile' | 'kind'>,
  problem: Problem | null,
  about: AboutRules,
): (Section & { id: string; paths: string[]; controls: SettingControl[] })[] {
  const settings = SUITE_CONFIG.settings(ROOT, config);
  const locks = findLocks(configFile);
  // A form does not send locked settings, so they have no typed value.
  const unsent = new Set(shownLocked(problem?.typed ?? {}).map((path) => `${ROOT}.${path}`));
  const typedOf = ({ path }: SettingValue) => (unsent.has(path) ? null : problem);
  const toControl = (setting: SettingValue): SettingControl => {
    const lock = locks.get(setting.path);
    if (lock === undefined) return { ...controlFor(setting, config, typedOf(setting), about), locked: null };
    const control = controlFor(setting, config, null, { ...about, mayEdit: false });
    return { ...control, locked: { label: setting.label, ...lock } };
  };
  return Object.entries(SECTIONS).map(([id, section]) => ({
    ...section,
    id,
    note:
      id === 'crawl' && kind === 'MANUAL'
        ? 'Single pages are never crawled, so these settings have no effect.'
        : section.note,
    paths: settings.filter((setting) => setting.section === id).map(({ path }) => path),
    controls: settings.filter((setting) => setting.section === id).map(toControl),
  }));
}

/** The locked settings that the page showed. */
export const shownLocked = (typed: Typed): string[] => (typed['locked'] ?? '').split(' ');

/** The configuration as it was typed, before validation. */
export function readConfig(typed: Typed): unknown {
  return SUITE_CONFIG.collect(ROOT, (setting) => {
    const { path, control } = setting;
    return control.kind === 'editor' ? EDITORS[control.editor].read(path, typed) : readSetting(setting, typed);
  });
}
