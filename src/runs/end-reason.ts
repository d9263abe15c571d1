import { shortSha } from '../text/format.ts';

/** Why a run ended without capturing every page: `metadata.reason`. Clients read these values: never change them. */
export type EndReason =
  | 'cancelled by a user'
  | 'superseded'
  | 'pull_request_closed'
  | 'suite_unlinked'
  | 'suite_inactive'
  | 'preview_timeout'
  | 'preview_unusable'
  | 'preview_failed'
  | 'preview_skipped'
  | 'preview_ambiguous'
  | 'preview_replaced'
  | 'config_file'
  | 'no_tracked_pages'
  | 'draft_ignored'
  | 'paths_unchanged';

/** `by` is the new head of the pull request, for a superseded run. */
export type EndCause = { reason: EndReason; by?: string };

const PHRASES: Record<Exclude<EndReason, 'superseded'>, string> = {
  'cancelled by a user': 'Cancelled by a user',
  pull_request_closed: 'The pull request was closed',
  suite_unlinked: 'The suite was unlinked from this repository',
  suite_inactive: 'The suite was deactivated',
  preview_timeout: 'No preview deployment arrived',
  preview_unusable: 'The preview deployment could not be captured',
  preview_failed: 'The preview deployment failed',
  preview_skipped: 'The preview deployment was skipped',
  preview_ambiguous: 'Several preview deployments fit',
  preview_replaced: 'The preview was deployed again',
  config_file: 'The configuration file is not valid',
  no_tracked_pages: 'No tracked pages',
  draft_ignored: 'Draft pull requests are not captured',
  paths_unchanged: 'No changed files affect the pages',
};

/**
 * The reason as a sentence without a full stop, for lists, notices, logs and the title of a check.
 * @param person who cancelled the run, if that is known
 */
export function describeEnd({ reason, by }: { reason: EndReason; by?: string | undefined }, person?: string): string {
  if (reason === 'cancelled by a user' && person !== undefined) return `Cancelled by ${person}`;
  if (reason !== 'superseded') return PHRASES[reason];
  return by === undefined ? 'Superseded by a newer commit' : `Superseded by ${shortSha(by)}`;
}

/** The same for a run's metadata; null when it has no reason. */
export function describeEnding(metadata: Partial<EndCause> | null, person?: string): string | null {
  return metadata?.reason === undefined ? null : describeEnd({ reason: metadata.reason, by: metadata.by }, person);
}
