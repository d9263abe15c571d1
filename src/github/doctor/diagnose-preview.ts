import { describeSignal } from '../../pull-requests/previews/preview-search.ts';
import { formatAge, formatList } from '../../text/format.ts';
import { LOOKS_LIKE_PREVIEW } from '../previews/signal.ts';
import { ok, warning, type Answer, type DoctorFacts, type FoundSignal } from './doctor-facts.ts';

const SETTINGS = 'Choose the suite’s preview in its settings under Pull requests, or in `.github/pixelgate.yml`.';

const list = (signals: FoundSignal[]) => formatList(signals.map(describeSignal));

/** A workflow that runs after another one deploys for the default branch, whichever pull request started it. */
function strayed(signals: FoundSignal[], pullRequestSignals: FoundSignal[]): FoundSignal[] {
  if (pullRequestSignals.length > 0) return [];
  return signals.filter(
    (each) => each.source === 'DEPLOYMENT' && each.isOnDefaultBranch && LOOKS_LIKE_PREVIEW.test(each.name),
  );
}

function describeLast({ lastPreview, now }: DoctorFacts): string {
  if (lastPreview === null) return '';
  const { source, name: called, url, seenAt } = lastPreview;
  const kinds = { DEPLOYMENT: 'deployment to', STATUS: 'commit status', CHECK: 'check', DISPATCH: 'deployment to' };
  const where = url === null ? 'without a URL' : `at ${url}`;
  return `The last preview was the ${kinds[source]} “${called}”, ${where}, ${formatAge(seenAt, now)}.`;
}

/** From the repository's signals: whether there are previews, and which one the suite uses. */
export function diagnosePreview(facts: DoctorFacts): Answer {
  const { signals, namesPreview, hasTemplate } = facts;
  const taken = signals.filter(({ use }) => use === 'TAKEN');
  const stray = strayed(
    signals,
    taken.filter((each) => !each.isOnDefaultBranch),
  );
  if (stray.length > 0) {
    const message = `The ${list(stray)} was made for the default branch, and not for the head of a pull request.`;
    return warning(
      message,
      'Deploy previews in a workflow that runs on `pull_request`, or set a preview URL template in the suite’s settings.',
    );
  }
  const several = signals.filter(({ use }) => use === 'ONE_OF_SEVERAL');
  if (several.length > 0) {
    return warning(`Pull requests have several previews that fit this suite: ${list(several)}.`, SETTINGS);
  }
  if (taken.length > 0) {
    const left = signals.filter(({ use, isPreview }) => use === 'NOT_TAKEN' && isPreview);
    return ok([describeLast(facts), ...(left.length === 0 ? [] : [`Not used: ${list(left)}.`])].join(' '));
  }
  if (hasTemplate) return ok('The suite’s settings have a preview URL template.');
  if (namesPreview && signals.length > 0) {
    return warning(`No preview signal matches the suite’s preview setting. Received: ${list(signals)}.`, SETTINGS);
  }
  return warning(
    'No deployment, commit status or check has announced a preview yet.',
    'Make your hosting provider report previews as GitHub deployments, or set a preview URL template in the suite’s settings or as `previewUrl` in `.github/pixelgate.yml`.',
  );
}
