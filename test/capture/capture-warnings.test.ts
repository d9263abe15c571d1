import { expect, it } from '@jest/globals';
import { collectWarnings } from '../../src/capture/capture-warnings.ts';

it('whatever a page says can be stored', () => {
  const warnings = collectWarnings();
  warnings.add('dialog', 'It said: a\0b, and the first half of \uD83D');
  expect(warnings.all()).toEqual([{ code: 'dialog', message: 'It said: a\uFFFDb, and the first half of \uFFFD' }]);
});
