import { describe, expect, it } from '@jest/globals';
import { checkNames, isNameTaken } from '../../src/suites/linked-suites.ts';

const suite = (id: string, name: string, checkContext?: string) => ({
  id,
  name,
  codehost: checkContext === undefined ? {} : { checkContext },
});
const namesOf = (...suites: ReturnType<typeof suite>[]) =>
  Object.entries(Object.fromEntries(checkNames(suites, 'Pixelgate')));

describe('the names of the checks of one repository', () => {
  it('are the default for a suite alone', () => {
    expect(namesOf(suite('1', 'Docs'))).toEqual([['1', 'Pixelgate']]);
  });

  it('carry the name of the suite from the second on', () => {
    expect(namesOf(suite('1', 'Docs'), suite('2', 'Shop'), suite('3', 'Blog'))).toEqual([
      ['1', 'Pixelgate'],
      ['2', 'Pixelgate / Shop'],
      ['3', 'Pixelgate / Blog'],
    ]);
  });

  it('are what was set, and leave the default to who set nothing', () => {
    expect(namesOf(suite('1', 'Docs', 'visual'), suite('2', 'Shop'))).toEqual([
      ['1', 'visual'],
      ['2', 'Pixelgate'],
    ]);
  });

  it('stay different where suites have the same name, or set the same', () => {
    expect(namesOf(suite('1', 'Docs'), suite('2', 'Shop'), suite('3', 'shop'))).toEqual([
      ['1', 'Pixelgate'],
      ['2', 'Pixelgate / Shop'],
      ['3', 'Pixelgate / shop (2)'],
    ]);
    expect(namesOf(suite('1', 'Docs', 'pixelgate'), suite('2', 'Shop'), suite('3', 'Blog', 'Pixelgate'))).toEqual([
      ['1', 'pixelgate'],
      ['2', 'Pixelgate / Shop'],
      ['3', 'Pixelgate / Blog'],
    ]);
  });

  it('are taken whatever their case', () => {
    expect(isNameTaken([suite('1', 'Docs')], 'Pixelgate', 'PIXELGATE')).toBe(true);
    expect(isNameTaken([suite('1', 'Docs', 'visual')], 'Pixelgate', 'Pixelgate')).toBe(false);
  });
});
