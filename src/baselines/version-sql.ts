import type { UserSummary } from '../auth/user.ts';

/** Columns of the table `users`, joined by `approved_by`. */
export const APPROVER_COLUMNS = [
  'users.name as approver_name',
  'users.email as approver_email',
  'users.image as approver_image',
] as const;

/** The selected values of those columns and of `approved_by`. */
export type ApproverRow = {
  /** Also null when the account was deleted. */
  approvedBy: string | null;
  approverName: string | null;
  approverEmail: string | null;
  approverImage: string | null;
};

/** The row with the approver's columns as one object. */
export function withApprover<Row extends ApproverRow>(
  row: Row,
): Omit<Row, keyof ApproverRow> & { approvedBy: UserSummary | null } {
  const { approvedBy: id, approverName: name, approverEmail: email, approverImage: image, ...rest } = row;
  return { ...rest, approvedBy: id === null ? null : { id, name, email, image } };
}

/** Whether a row of `baseline_versions` came from a decision about its page result that has not been undone. */
export const STANDING_SQL = `(baseline_versions.source <> 'INITIAL' and not exists (
  select from baseline_versions as undoing
  where undoing.undone_result_id = baseline_versions.page_result_id and undoing.version > baseline_versions.version
))`;
