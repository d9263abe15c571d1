import pLimit from 'p-limit';
import { errorMessage } from '../../errors.ts';
import { formatCount, plural } from '../../text/format.ts';
import type { DiscoverTools } from './discovery.ts';

const MAX_RENDERED = 100;

export type PageRenderer = {
  /** The page after its scripts ran. Null: too many pages were rendered already, or the browser failed. */
  render(url: string): Promise<{ url: string; html: string } | null>;
  /** Sentences for people about pages that were not rendered. */
  warnings(): string[];
};

/** Renders pages one at a time: the thread has one browser. */
export function createPageRenderer(render: DiscoverTools['render']): PageRenderer {
  let rendered = 0;
  let leftOut = 0;
  const failures: string[] = [];
  const inTurn = pLimit(1);
  return {
    async render(url) {
      if (rendered >= MAX_RENDERED) {
        leftOut += 1;
        return null;
      }
      rendered += 1;
      return inTurn(() => render(url)).catch((error: unknown) => {
        failures.push(`${url}: ${errorMessage(error)}`);
        return null;
      });
    },
    warnings() {
      const [first] = failures;
      const count = formatCount(failures.length, 'page');
      return [
        ...(leftOut === 0
          ? []
          : [
              `${formatCount(leftOut, 'page')} without links ${plural(leftOut, 'was', 'were')} not opened in the browser`,
            ]),
        ...(first === undefined ? [] : [`${count} could not be opened in the browser, first ${first}`]),
      ];
    },
  };
}
