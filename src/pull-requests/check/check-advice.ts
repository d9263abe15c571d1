import { isInFlight, type EndReason } from '../../runs/run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { formatCount, ifAny } from '../../text/format.ts';
import { inCode } from '../../text/markdown-code.ts';
import type { CheckLinks } from './check-links.ts';
import { isError, isNewScreenshot, isUnapproved, type CheckSituation } from './check.ts';

const MAX_BRANCH = 180;

const nothing = (text: string) => `**Nothing to do.** ${text}`;
const toDo = (text: string) => `**What to do:** ${text}`;

const findOut = ({ doctor }: CheckLinks) => `The [setup doctor](${doctor}) shows which signals arrived.`;

/** What to do after a run that ended before it captured pages. */
const AFTER: Record<EndReason, (links: CheckLinks) => string> = {
  'cancelled by a user': () => toDo('press **Re-run** on GitHub to start again.'),
  superseded: () => nothing('The newer commit has a check of its own.'),
  pull_request_closed: () => nothing('If the pull request is reopened, the check starts again.'),
  suite_unlinked: () =>
    toDo('if a branch rule still requires this check, remove it from the rule. Nothing reports it anymore.'),
  suite_inactive: ({ settings }) => toDo(`activate the suite in [its settings](${settings}).`),
  preview_timeout: (links) =>
    toDo(`deploy a preview of this commit; capturing then starts automatically. ${findOut(links)}`),
  preview_unusable: ({ access }) =>
    toDo(
      `fix the problem above, then press **Re-run**. What passes a login is set in [Access to the site](${access}).`,
    ),
  preview_failed: () => toDo('fix the deployment. Redeploying this commit restarts the check.'),
  preview_skipped: () => nothing('A deployment of this commit would start this check again.'),
  preview_ambiguous: ({ settings }) =>
    toDo(
      `name the suite’s preview in [its settings](${settings}) under Pull requests, or in \`.github/pixelgate.yml\`.`,
    ),
  preview_replaced: () => nothing('The newer deployment has a run of its own.'),
  config_file: () => toDo('correct `.github/pixelgate.yml` and push.'),
  no_tracked_pages: ({ suite }) => toDo(`choose the pages to capture on [the page of the suite](${suite}).`),
  tracked_pages_removed: ({ suite }) =>
    toDo(
      `if the site should still have these pages, fix it and crawl again. Otherwise track the pages that took their place, on [the page of the suite](${suite}). Then press **Re-run**.`,
    ),
  draft_ignored: () => nothing('This starts when the pull request is ready for review.'),
  paths_unchanged: () => nothing('`.github/pixelgate.yml` says which files count.'),
};

function adviseInFlight({ run, search }: CheckSituation, links: CheckLinks): string {
  if (run.status === 'RUNNING' || run.git?.enqueued === true) {
    return nothing('Screenshots are being captured and compared.');
  }
  if ((search?.candidates.length ?? 0) > 0) return AFTER.preview_ambiguous(links);
  return nothing(`Capturing starts automatically when the preview is up. ${findOut(links)}`);
}

/** A difference that the site shows as well counts if the two may be one server. A person can say that they are not. */
function adviseOfServers({ results }: CheckSituation, { run }: CheckLinks): string[] {
  const doubted = results.filter(({ servers, approved }) => servers === 'MAYBE_ONE' && !approved).length;
  if (doubted === 0) return [];
  const what = `The site itself looks like the preview in ${formatCount(doubted, 'screenshot')}`;
  return [
    `${what}, but nothing shows that they are different servers. They may be one server with two names, so this counts as a change. If they are two servers, press **These are different servers** on [the page of the run](${run}).`,
  ];
}

/** Nothing can or must be approved. */
function adviseUngated({ run }: CheckSituation): string {
  const base = inCode(run.git?.baseBranch ?? '', MAX_BRANCH);
  return nothing(
    `${base} is not a base branch that this suite gates. Changes are shown for information only: they don’t need approval, and merging does not change baselines.`,
  );
}

function adviseCompleted(situation: CheckSituation, links: CheckLinks): string[] {
  const { run, results } = situation;
  const fresh = results.filter((result) => isNewScreenshot(result) && isUnapproved(result)).length;
  const aboutNew = ifAny(
    fresh,
    `${formatCount(fresh, 'new screenshot')} without a baseline. Approved screenshots become baselines when this pull request is merged.`,
  );
  if (results.some(isError)) {
    return [
      toDo(
        `look at the errors below. If the cause was temporary, press **Re-run errors**; otherwise fix the pages and push.`,
      ),
      ...aboutNew,
    ];
  }
  if (run.reviewState === 'PENDING') {
    return [
      toDo(
        settingsReview(run) === 'PENDING'
          ? `[review the settings and the changes](${links.run}). Approve what is correct, there or with **Approve** on this page, which approves the settings above as well. For the rest, push a fix.`
          : `[review the changes](${links.run}). Approve what is correct, there or with **Approve** on this page. For the rest, push a fix. Screenshots that stay the same stay approved.`,
      ),
      ...adviseOfServers(situation, links),
      ...aboutNew,
    ];
  }
  if (run.reviewState === 'APPROVED') {
    return [nothing('The approved screenshots become baselines when this pull request is merged.'), ...aboutNew];
  }
  return [nothing('No changes from this pull request need review.'), ...aboutNew];
}

/** What a reader of the check can do now, as Markdown. Pure. */
export function adviseNext(situation: CheckSituation, links: CheckLinks): string[] {
  const { run, totalResults } = situation;
  if (!run.isGated) return [adviseUngated(situation)];
  if (isInFlight(run.status)) return [adviseInFlight(situation, links)];
  const reason = run.metadata?.reason;
  if (reason === 'preview_skipped' && run.status === 'FAILED')
    return [toDo('deploy this commit. Or review the run of the earlier commit, then press **Re-run**.')];
  if (reason !== undefined) return [AFTER[reason](links)];
  if (run.status === 'CANCELLED') return [AFTER['cancelled by a user'](links)];
  if (run.status === 'COMPLETED' && totalResults === 0) return [AFTER.no_tracked_pages(links)];
  if (run.status === 'FAILED' && !situation.results.some(isError)) {
    return [toDo(`see [the log of the run](${links.run}), then press **Re-run**.`)];
  }
  return adviseCompleted(situation, links);
}
