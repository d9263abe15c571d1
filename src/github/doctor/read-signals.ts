import type { Db } from '../../db/database.ts';
import type { SuiteSettings } from '../../suites/config-file/config-file.ts';
import { namesSignals } from '../../suites/config/preview-matcher.ts';
import { toRepositoryKey, type CodeHostLink, type Suite } from '../../suites/suite.ts';
import { isNamed } from '../previews/choose-preview.ts';
import { isOfSeveral, readHeardNames, type HeardName } from '../previews/read-choice.ts';
import { isOfPreview } from '../previews/signal.ts';
import type { DoctorFacts, FoundSignal, SignalUse } from './doctor-facts.ts';

/** The maximum number of names that the doctor lists. */
const MOST_LISTED = 30;

/** Several pull requests had it, and its preview was up at least once. */
const isSettled = (heard: HeardName) =>
  heard.signals.some(isOfPreview) && isOfSeveral(heard) && heard.signals.some(({ readyKey }) => readyKey !== null);

function toFound({ newest, signals, pullRequests }: HeardName, use: SignalUse): FoundSignal {
  const { source, name, project, host, state, url, updatedAt } = newest;
  return {
    source,
    name,
    project,
    host,
    state,
    url,
    seenAt: updatedAt,
    use,
    isPreview: signals.some(isOfPreview),
    isOnDefaultBranch: pullRequests === 0 && signals.every(({ onDefaultBranch }) => onDefaultBranch),
  };
}

/**
 * The signals of a repository, and which of them the suite would use.
 * @param file what the repository's file says on the default branch; null when it could not be read
 */
export async function readSignals(
  db: Db,
  { config }: Suite,
  link: CodeHostLink,
  file: Pick<SuiteSettings, 'preview' | 'previewUrl'> | null,
): Promise<Pick<DoctorFacts, 'signals' | 'lastPreview' | 'namesPreview' | 'hasTemplate'>> {
  const matcher = file?.preview ?? config.preview;
  const heard = await readHeardNames(db, toRepositoryKey(link));
  const isSeveral = matcher === null && heard.filter(isSettled).length > 1;
  const chooseUse = (each: HeardName): SignalUse => {
    if (matcher !== null) return isNamed(matcher, each.newest) ? 'TAKEN' : 'NOT_TAKEN';
    if (!each.signals.some(isOfPreview)) return 'NOT_TAKEN';
    return isSeveral && isSettled(each) ? 'ONE_OF_SEVERAL' : 'TAKEN';
  };
  const signals = heard.map((each) => toFound(each, chooseUse(each)));
  return {
    signals: [...signals.filter(({ isPreview }) => isPreview), ...signals.filter(({ isPreview }) => !isPreview)].slice(
      0,
      MOST_LISTED,
    ),
    lastPreview: signals.find(({ use }) => use !== 'NOT_TAKEN') ?? null,
    namesPreview: matcher !== null && namesSignals(matcher),
    hasTemplate: (matcher?.url ?? file?.previewUrl ?? null) !== null,
  };
}
