import type { Setting } from '../../../suites/config/config-field.ts';
import type { SuiteConfig } from '../../../suites/config/suite-config.ts';
import { splitLines } from '../../../text/lines.ts';
import { buildField, type Field } from '../../form-field.ts';
import type { Problem, Typed } from '../../problem.ts';

/** The kinds of names, each with an example of a host. */
const NAMES = [
  { part: 'environment', label: 'Deployment environments', placeholder: 'Preview – docs' },
  { part: 'context', label: 'Commit status contexts', placeholder: 'netlify/docs/deploy-preview' },
  { part: 'check', label: 'Check names', placeholder: 'Workers Builds: docs' },
] as const;

/** A field for each kind of name, and one for the template of the address. */
export function previewFields(
  { path, description }: Setting,
  { preview }: SuiteConfig,
  problem: Problem | null,
): { note: string; names: Field[]; url: Field } {
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
export function readPreview(path: string, typed: Typed): unknown {
  const names = NAMES.map(({ part }) => {
    const text = typed[`${path}.${part}`] ?? '';
    return [part, splitLines(text)] as const;
  });
  const url = (typed[`${path}.url`] ?? '').trim();
  const isEmpty = url === '' && names.every(([, globs]) => globs.length === 0);
  return isEmpty ? null : { ...Object.fromEntries(names), url: url === '' ? null : url };
}
