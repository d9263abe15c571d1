import type { Setting, SettingValue } from '../../../suites/config/config-field.ts';
import type { Control } from '../../../suites/config/config-kind.ts';
import { splitLines } from '../../../text/format.ts';
import { readNumber, writeNumber } from '../../../text/typed-number.ts';
import type { NamedFieldSpec, Typed } from '../../form-field.ts';

/** A control that is one element of a form. */
type Element = Exclude<Control, { kind: 'editor' }>;

function chooseElement({ path, control }: Setting): Element {
  if (control.kind === 'editor') throw new Error(`${path} has an editor of its own`);
  return control;
}

const PLAIN = { autocomplete: 'off', spellcheck: 'false' };

function specFor(element: Element): Pick<NamedFieldSpec, 'type' | 'options' | 'attributes'> {
  switch (element.kind) {
    case 'number': {
      // With a step of 1, the browser already refuses decimals.
      const step = element.whole ? 1 : 'any';
      return { type: 'number', attributes: { min: element.min, max: element.max, step } };
    }
    case 'choice':
      return { type: 'select', options: [...element.options] };
    case 'switch':
      return { type: 'checkbox' };
    case 'line':
      return { attributes: { maxlength: element.maxLength, pattern: element.pattern, ...PLAIN } };
    case 'term':
      return { attributes: { maxlength: element.maxLength, placeholder: element.example, ...PLAIN } };
    case 'lines':
      return { type: 'textarea', attributes: { rows: 3, spellcheck: 'false', placeholder: element.placeholder } };
    case 'text':
      return { type: 'textarea', attributes: { rows: 4, spellcheck: 'false', placeholder: element.placeholder } };
  }
}

function formatValue(value: unknown): string | number | null {
  if (Array.isArray(value)) return value.join('\n');
  return typeof value === 'number' ? writeNumber(value) : typeof value === 'string' ? value : null;
}

export function settingField(setting: SettingValue): NamedFieldSpec {
  const { path, label, description, value } = setting;
  return {
    name: path,
    label,
    note: description,
    value: formatValue(value),
    checked: value === true,
    ...specFor(chooseElement(setting)),
  };
}

/**
 * Converts what was typed to a value of the configuration. An empty field becomes null, which means the default. The
 * value is validated later, with the others.
 */
export function readSetting(setting: Setting, typed: Typed): unknown {
  const { path } = setting;
  const text = (typed[path] ?? '').trim();
  switch (chooseElement(setting).kind) {
    case 'number':
      return text === '' ? null : readNumber(text);
    case 'choice':
    case 'line':
    case 'term':
      return text === '' ? null : text;
    case 'lines':
      return text === '' ? null : splitLines(text);
    case 'switch':
      return path in typed;
    case 'text':
      return typed[path] ?? '';
  }
}
