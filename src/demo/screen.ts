export type Screen = {
  /** Prints a line that stays. It replaces the progress line, if there is one. */
  say(text: string): void;
  /** Shows the progress: on a terminal in one line that is rewritten, elsewhere as a plain line for each change. */
  progress(phase: string, done: number, total: number | null): void;
  readonly colored: boolean;
};

type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number };

const BAR = 24;

function bar(done: number, total: number): string {
  const filled = total === 0 ? 0 : Math.round((done / total) * BAR);
  return `[${'='.repeat(filled)}${' '.repeat(BAR - filled)}]`;
}

/**
 * `interactive` is false in CI or a pipe. Then there are no control characters, and about ten lines per phase instead
 * of one per change.
 */
export function createScreen(output: Output, interactive: boolean, colored: boolean): Screen {
  let last = '';
  const clear = () => {
    if (interactive && last !== '') output.write('\r\u001B[2K');
    last = '';
  };
  return {
    colored,
    say(text) {
      clear();
      output.write(`${text}\n`);
    },
    progress(phase, done, total) {
      const count = total === null ? `${done}` : `${done} of ${total}`;
      const tenth = total === null || total === 0 ? done : Math.floor((done / total) * 10);
      const line = interactive && total !== null ? `${phase}  ${bar(done, total)}  ${count}` : `${phase}  ${count}`;
      const key = interactive ? line : `${phase} ${tenth}`;
      if (key === last) return;
      if (interactive) output.write(`\r\u001B[2K${line.slice(0, (output.columns || 80) - 1)}`);
      else output.write(`${line}\n`);
      last = key;
    },
  };
}
