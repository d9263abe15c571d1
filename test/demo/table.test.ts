import { describe, expect, it } from '@jest/globals';
import { diffCell, formatTable, inOrder, diffImageCell, statusCell } from '../../src/demo/table.ts';
import { result } from './results.ts';

describe('the table', () => {
  it('aligns its columns and leaves no trailing space', () => {
    expect(
      formatTable(
        ['page', 'status', 'image'],
        [
          ['/a/long/path', 'PASS', ''],
          ['/', 'FAIL', 'http://x'],
        ],
        false,
      ),
    ).toBe(`page          status  image
------------  ------  -----
/a/long/path  PASS
/             FAIL    http://x`);
  });

  it('colors a status without moving the columns', () => {
    const text = formatTable(
      ['status', 'page'],
      [
        ['PASS', '/'],
        ['FAIL', '/x'],
      ],
      true,
    );
    expect(text).toContain('\u001B[32mPASS  \u001B[0m  /');
    expect(text).toContain('\u001B[31mFAIL  \u001B[0m  /x');
  });

  it('prints nothing where nothing was compared', () => {
    expect(diffCell(result('/', 'desktop', { diffScore: null }))).toBe('');
    expect(diffCell(result('/', 'desktop', { diffScore: 1.5 }))).toBe('1.5000');
  });

  it('says which results are new', () => {
    expect(statusCell(result('/', 'desktop', { isNew: true }))).toBe('PASS (new)');
  });

  it('prints diff images as full addresses, whether the API gives a path or an address', () => {
    const service = 'http://127.0.0.1:3000';
    expect(diffImageCell(result('/', 'desktop', { diffFile: '/files/x.png' }), service)).toBe(`${service}/files/x.png`);
    expect(diffImageCell(result('/', 'desktop', { diffFile: 'https://cdn.example/x.png' }), service)).toBe(
      'https://cdn.example/x.png',
    );
    expect(diffImageCell(result('/', 'desktop'), service)).toBe('');
  });

  it('goes by path, then by the order of the viewports in the suite', () => {
    const results = [result('/b', 'mobile'), result('/b', 'desktop'), result('/a', 'mobile')];
    expect(inOrder(results, ['desktop', 'mobile']).map((r) => `${r.path} ${r.viewport}`)).toEqual([
      '/a mobile',
      '/b desktop',
      '/b mobile',
    ]);
  });
});
