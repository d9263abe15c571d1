import { describe, expect, it } from '@jest/globals';
import { createScreen } from '../../src/demo/screen.ts';

function recording(interactive: boolean) {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text), columns: 40 };
  return { screen: createScreen(output, interactive, false), written };
}

describe('the screen', () => {
  it('writes about ten plain lines a phase where there is no terminal', () => {
    const { screen, written } = recording(false);
    for (let done = 0; done <= 100; done += 1) screen.progress('Run', done, 100);
    expect(written).toHaveLength(11);
    expect(written[0]).toBe('Run  0 of 100\n');
    expect(written.at(-1)).toBe('Run  100 of 100\n');
    expect(written.join('')).not.toContain('\u001B');
  });

  it('rewrites one line on a terminal, no wider than the terminal', () => {
    const { screen, written } = recording(true);
    screen.progress('Baseline run: screenshots', 3, 24);
    screen.progress('Baseline run: screenshots', 4, 24);
    expect(written).toHaveLength(2);
    for (const text of written) {
      expect(text.startsWith('\r\u001B[2K')).toBe(true);
      expect(text).not.toContain('\n');
      expect(text.length).toBeLessThanOrEqual('\r\u001B[2K'.length + 39);
    }
  });

  it('does not repeat what has not changed', () => {
    const { screen, written } = recording(true);
    screen.progress('Crawling', 3, null);
    screen.progress('Crawling', 3, null);
    expect(written).toHaveLength(1);
  });

  it('puts a line that stays in the place of the progress line', () => {
    const { screen, written } = recording(true);
    screen.progress('Crawling', 3, null);
    screen.say('Crawled');
    expect(written.slice(1)).toEqual(['\r\u001B[2K', 'Crawled\n']);
  });
});
