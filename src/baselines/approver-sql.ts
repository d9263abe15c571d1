import type { UserSummary } from '../auth/user.ts';

/** Of the table `users`, joined by the column `approved_by`. */
export const APPROVER_COLUMNS = [
  'users.name as approver_name',
  'users.email as approver_email',
  'users.image as approver_image',
] as const;

/** What those columns, and `approved_by`, select. */
export type ApproverRow = {
  /** Null, too, when the account was deleted. */
  approvedBy: string | null;
  approverName: string | null;
  approverEmail: string | null;
  approverImage: string | null;
};

/** The row with its approver in one piece. */
export function withApprover<Row extends ApproverRow>(
  row: Row,
): Omit<Row, keyof ApproverRow> & { approvedBy: UserSummary | null } {
  const { approvedBy: id, approverName: name, approverEmail: email, approverImage: image, ...rest } = row;
  return { ...rest, approvedBy: id === null ? null : { id, name, email, image } };
}
