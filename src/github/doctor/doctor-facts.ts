/**
 * What was asked: an answer, or why there is none. `gone`: there is no such thing for us; `refused`: GitHub does not take
 * who asks for the App; `unreachable`: it could not be asked now.
 */
export type Asked<T> = { known: true; value: T } | { known: false; why: 'gone' | 'refused' | 'unreachable' };

export type RequiredCheck = {
  context: string;
  /** The only App whose check counts; null: any. */
  appId: number | null;
};

/** What the rules of the default branch ask for. */
export type BranchRules = { branch: string; required: RequiredCheck[]; mergeQueue: boolean };

/** Null: GitHub does not say. */
export type AppFacts = { permissions: Record<string, string> | null; events: string[] | null };

/** What its account has granted, which is what the App asked for when it last accepted. */
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
  /** Of the App itself. */
  app: Asked<AppFacts>;
  /** What the manifest asks of an account for its repositories. */
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
