import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

export const ROOT = path.join(import.meta.dirname, '../..');

export const readText = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Each document of a YAML file, with its anchors and merges resolved. */
export function readYaml(file: string): unknown[] {
  return parseAllDocuments(readText(file), { merge: true }).map((document) => {
    if ('errors' in document && document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

export const { version: VERSION } = z.object({ version: z.string() }).parse(JSON.parse(readText('package.json')));

/** The variables that the service reads, with those of the AWS SDK. */
export const VARIABLES: ReadonlySet<string> = new Set([
  ...[...readText('docs/operating.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)`/gm)].map(([, name = '']) => name),
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
]);
