export const FINDING_STATUSES = ['ok', 'warning', 'failed'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

export const FINDING_NAMES = [
  'app',
  'link',
  'installation',
  'permissions',
  'events',
  'webhook',
  'deliveries',
  'missed_events',
  'preview',
  'required_check',
  'merge_queue',
  'engines',
  'images',
] as const;
export type FindingName = (typeof FINDING_NAMES)[number];

export type Finding = {
  name: FindingName;
  status: FindingStatus;
  message: string;
  /** One sentence that says how to fix it. Null: there is nothing to fix. */
  remedy: string | null;
};

/** What one examination says. */
export type Answer = Omit<Finding, 'name'>;

export const ok = (message: string): Answer => ({ status: 'ok', message, remedy: null });

export const warning = (message: string, remedy: string): Answer => ({ status: 'warning', message, remedy });

export const failed = (message: string, remedy: string): Answer => ({ status: 'failed', message, remedy });

/** A warning, because we don't know whether something is right when GitHub did not tell us. */
export function unknown(what: string, why: 'gone' | 'refused' | 'unreachable'): Answer {
  if (why === 'unreachable') return warning(`Could not ask GitHub for ${what}.`, 'Try again in a minute.');
  const first = why === 'gone' ? 'the installation' : 'the credentials of the app';
  return warning(`GitHub does not return ${what}.`, `Fix ${first} first, then check again.`);
}

export function worstStatus(findings: readonly Finding[]): FindingStatus {
  if (findings.some(({ status }) => status === 'failed')) return 'failed';
  return findings.some(({ status }) => status === 'warning') ? 'warning' : 'ok';
}
