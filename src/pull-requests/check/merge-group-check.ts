import { fitName, fitTitle } from './check-title.ts';
import type { ShownCheck } from './check.ts';

/** The verdict on one pull request of a merge group. `says` is the title of its check, `address` its run's page. */
export type JudgedPullRequest = { number: number; passes: boolean; says: string; address: string | null };

/** The check of a group whose base branch the suite does not gate. Pure. */
export function buildUngatedGroupCheck(baseBranch: string, detailsUrl: string): ShownCheck {
  return {
    status: 'completed',
    conclusion: 'neutral',
    detailsUrl,
    title: fitName(baseBranch, (name) => `Not gated: the base is ${name}`),
    summary: 'The base branch of this merge group is not one that the suite gates.',
  };
}

const SHOWN = 100;

function formatLine({ number, passes, says, address }: JudgedPullRequest): string {
  const link = address === null ? '' : ` ([view run](${address}))`;
  return `- ${passes ? 'Passed' : '**Not passed**'}: #${number}, \`${says.replaceAll('`', "'")}\`${link}`;
}

/** A group passes when it has one or more pull requests and all of them pass (docs/rules.md, Pull requests). Pure. */
export function buildGroupCheck(judged: JudgedPullRequest[], fallbackAddress: string): ShownCheck {
  const blocking = judged.filter((each) => !each.passes);
  const passes = judged.length > 0 && blocking.length === 0;
  const names = blocking.slice(0, 3).map((each) => `#${each.number}`);
  const others = blocking.length > names.length ? ` and ${blocking.length - names.length} more` : '';
  const title = passes
    ? fitTitle(
        `Visual review passed: ${judged.map((each) => `#${each.number}`).join(', ')}`,
        `Visual review passed: ${judged.length} pull requests`,
      )
    : fitTitle(`Visual review not passed: ${names.join(', ') || 'no known pull request'}${others}`);
  return {
    status: 'completed',
    conclusion: passes ? 'success' : 'failure',
    detailsUrl: (blocking[0] ?? judged[0])?.address ?? fallbackAddress,
    title,
    summary:
      [...blocking, ...judged.filter((each) => each.passes)].slice(0, SHOWN).map(formatLine).join('\n') ||
      'The branch of this merge group does not name a pull request.',
  };
}
