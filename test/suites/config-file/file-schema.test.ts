import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { settingsFor } from '../../../src/suites/config-file/config-file.ts';
import { CONFIG_FILE_SCHEMA } from '../../../src/suites/config-file/file-schema.ts';
import { parseConfigFile } from '../../../src/suites/config-file/parse-config-file.ts';
import { SUITE_CONFIG } from '../../../src/suites/config/suite-config.ts';

const DOCS = readFileSync(new URL('../../../docs/configuration-file.md', import.meta.url), 'utf8');
const EXAMPLE = /```yaml\n([^]*?)```/.exec(DOCS)?.[1] ?? '';

describe('the JSON Schema of the configuration file', () => {
  const schema = z.fromJSONSchema(CONFIG_FILE_SCHEMA);

  it('accepts the example of the documentation, as the file does', () => {
    expect(schema.safeParse(parse(EXAMPLE)).error).toBeUndefined();
    const { settings, problem } = parseConfigFile(EXAMPLE);
    expect(problem).toBeNull();
    expect(settings && settingsFor(settings, 'docs').config.viewports).toHaveLength(1);
  });

  it.each([['threshold: 2'], ['treshold: 1'], ['viewports: []'], ['suites: { Docs: { maxPages: many } }']])(
    'refuses %s, as the file does',
    (text) => {
      expect(schema.safeParse(parse(text)).success).toBe(false);
      expect(parseConfigFile(text).problem).not.toBeNull();
    },
  );

  it('has every setting of the configuration, with its description', () => {
    const { properties = {} } = CONFIG_FILE_SCHEMA;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(SUITE_CONFIG.fields)));
    const settings = SUITE_CONFIG.settings('', null).map(({ path }) => path.slice(1).split('.')[0] ?? '');
    const undescribed = settings.filter((name) => !JSON.stringify(properties[name]).includes('"description"'));
    expect(undescribed).toEqual([]);
    expect(CONFIG_FILE_SCHEMA).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' });
  });
});
