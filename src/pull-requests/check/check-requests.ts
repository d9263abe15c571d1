import { asBlock, inCode } from '../../text/markdown-code.ts';
import type { CheckLinks } from './check-links.ts';
import { fitName, fitTitle } from './check-title.ts';
import type { CheckRequest } from './check.ts';

const MAX_PATH = 180;
const MAX_NAME = 64;
const MAX_NOTE = 500;

/** `Changes requested by Ada, Bob and 2 others`, or with fewer names where they are long. */
export function titleOfRequests(requests: CheckRequest[]): string {
  const names = [...new Set(requests.map(({ author }) => author.name ?? 'a reviewer'))];
  const [first = ''] = names;
  const says = (listed: string) => `Changes requested by ${listed}`;
  const others = names.length > 1 ? ` and ${names.length - 1} more` : '';
  return fitTitle(
    says(names.length > 2 ? `${first}${others}` : names.join(' and ')),
    fitName(first, (name) => says(`${name}${others}`)),
  );
}

/** Who asks for changes, of what and why. */
export function formatRequests(requests: CheckRequest[], links: CheckLinks): string[] {
  return requests.map(({ author, note, resultId, path, viewport }) => {
    const where =
      resultId === null
        ? 'this pull request'
        : `${inCode(path ?? '', MAX_PATH)} at ${inCode(viewport ?? '', MAX_NAME)} ([review](${links.resultUrl(resultId)}))`;
    const who = inCode(author.name ?? 'a reviewer', MAX_NAME);
    return `**Changes requested** by ${who} on ${where}:\n\n${asBlock(note, MAX_NOTE)}`;
  });
}
