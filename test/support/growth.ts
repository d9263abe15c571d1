import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const COUNT_WORK = fileURLToPath(import.meta.resolve('./count-work.js'));
const SIZES = [1024, 8192] as const;

/** Between the two kinds of growth. */
export const LINEAR = 1.5;

/**
 * How the work of a module grows with its input: near 1 where it grows with the size, 2 with its square. It counts the
 * blocks of code that run, not time, so it is the same on every machine. What one call of the engine does (`indexOf`, a
 * regular expression) counts once: `npm run regexps` checks the expressions.
 *
 * @param module its address, by `import.meta.resolve`
 * @param prepare makes the work for an input of a size; making it does not count. It is sent as its text, so it uses
 *   nothing but its parameters
 * @param values what JSON can hold
 */
export async function growth(
  module: string,
  prepare: (module: never, size: number, ...values: never[]) => () => unknown,
  ...values: unknown[]
): Promise<number> {
  const task = JSON.stringify({ module, prepare: String(prepare), sizes: SIZES, values });
  const { stdout } = await promisify(execFile)(process.execPath, [COUNT_WORK, task]);
  const [small = NaN, large = NaN] = JSON.parse(stdout) as number[];
  return Math.log(large / small) / Math.log(SIZES[1] / SIZES[0]);
}
