/** What was asked: an answer, that there is no such thing for us, or that GitHub could not be asked now. */
export type Asked<T> = { known: true; value: T } | { known: false; why: 'gone' | 'unreachable' };

export type RequiredCheck = {
  context: string;
  /** The only App whose check counts; null: any. */
  appId: number | null;
};

/** What the rules of the default branch ask for. */
export type BranchRules = { branch: string; required: RequiredCheck[]; mergeQueue: boolean };

export type InstallationFacts = {
  suspended: boolean;
  permissions: Record<string, string>;
  events: string[];
  settingsUrl: string;
};

/** GitHub's own memory of its newest delivery to us. 0: no answer came. */
export type SentDelivery = { event: string; statusCode: number; deliveredAt: Date };

export type SeenDelivery = { event: string; receivedAt: Date };

export type LastPreview = { source: 'DEPLOYMENT' | 'STATUS'; name: string; url: string | null; seenAt: Date };

/** Everything that the doctor looks at, of one linked suite; it was all true at `now`. */
export type DoctorFacts = {
  now: Date;
  appId: number;
  /** What the manifest asks for. */
  needs: { permissions: Record<string, 'read' | 'write'>; events: string[] };
  publicUrl: string;
  /** As GitHub spells it where it is known: `owner/repo`. */
  repository: string;
  checkName: string;
  /** Checks of other suites on the repository. */
  otherCheckNames: string[];
  defaultCheckName: string;
  installation: Asked<InstallationFacts>;
  rules: Asked<BranchRules>;
  webhookUrl: Asked<string | null>;
  lastSent: Asked<SentDelivery | null>;
  /** The newest of each event, the newest event first. */
  deliveries: SeenDelivery[];
  lastPreview: LastPreview | null;
};
