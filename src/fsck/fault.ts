/** What `pixelgate fsck` can find. `docs/operating.md` says what each means. */
export type FaultKind =
  | 'version_gap'
  | 'wrong_pointer'
  | 'promoted_twice'
  | 'wrong_count'
  | 'wrong_gate'
  | 'unsettled_result'
  | 'run_without_job'
  | 'check_behind'
  | 'missing_object'
  | 'changed_object'
  | 'unnamed_object';

/** A contradiction within the database, or between the database and the storage. */
export type Fault = {
  kind: FaultKind;
  /** Null: an object that is in no suite's folder. */
  suiteId: string | null;
  /** What it is about: the id of a run, the name of an object, or a page at a viewport. */
  subject: string;
  message: string;
};

export const formatFault = ({ kind, suiteId, subject, message }: Fault): string =>
  `${kind}: ${suiteId === null ? '' : `suite ${suiteId}: `}${subject}: ${message}`;
