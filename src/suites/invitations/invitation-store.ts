import { may, SUITE_ROLES } from '../../access/role.ts';
import { personColumn } from '../../auth/person-sql.ts';
import { toColumns } from '../../db/camel-case.ts';
import { notNull, onlyOf, type Db } from '../../db/database.ts';
import type { Invitation, OpenedInvitation } from './invitation.ts';

const COLUMNS = [
  'invitation.id',
  'invitation.test_suite_id',
  'invitation.role',
  'invitation.email',
  'invitation.created_at',
  'invitation.expires_at',
  'invitation.token_hash',
  'suite.name as suite_name',
] as const;

const SHARERS = SUITE_ROLES.filter((role) => may(role, 'suite.share'));

/** An invitation is only valid while its creator may sign in and share the suite, so that nobody can leave a way in. */
function openInvitations(db: Db, now: Date) {
  return db('suite_invitations as invitation')
    .join('test_suites as suite', 'suite.id', 'invitation.test_suite_id')
    .join('users as inviter', 'inviter.id', 'invitation.invited_by')
    .leftJoin('test_suite_grants as granted', (join) =>
      join
        .on('granted.test_suite_id', 'invitation.test_suite_id')
        .andOnVal('granted.principal_type', 'USER')
        .andOn('granted.principal_id', 'invitation.invited_by'),
    )
    .where('invitation.expires_at', '>', now)
    .where({ 'inviter.disabled_at': null })
    .where(
      (either) => void either.whereRaw('suite.user_id = invitation.invited_by').orWhereIn('granted.role', [...SHARERS]),
    )
    .select([...COLUMNS, personColumn(db, 'invited_by', 'inviter')]);
}

type Row = Awaited<ReturnType<typeof openInvitations>>[number];

function toInvitation({ tokenHash: _hash, suiteName: _name, ...row }: Row): Invitation {
  return notNull(row, 'invitedBy');
}

/** Newest first. */
export async function listOpenInvitations(db: Db, suiteId: string, now: Date): Promise<Invitation[]> {
  const rows = await openInvitations(db, now)
    .where('invitation.test_suite_id', suiteId)
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id');
  return rows.map(toInvitation);
}

export async function findOpenInvitation(db: Db, tokenHash: string, now: Date): Promise<OpenedInvitation | null> {
  const row = await openInvitations(db, now)
    .whereRaw('(invitation.token_hash = :hash or invitation.mailed_token_hashes @> array[:hash]::text[])', {
      hash: tokenHash,
    })
    .first();
  if (row === null) return null;
  return { ...toInvitation(row), suiteName: row.suiteName, isMailed: row.tokenHash !== tokenHash };
}

export async function findOpenInvitationById(db: Db, id: string, now: Date): Promise<OpenedInvitation | null> {
  const row = await openInvitations(db, now).where('invitation.id', id).first();
  return row === null ? null : { ...toInvitation(row), suiteName: row.suiteName, isMailed: false };
}

type InvitationDraft = Omit<Invitation, 'id' | 'invitedBy'> & { invitedBy: string; tokenHash: string };

/** An address has one invitation to a suite. A new one replaces it and invalidates its links. */
export async function saveInvitation(db: Db, invitation: InvitationDraft): Promise<string> {
  const rows = await db('suite_invitations')
    .insert({ ...toColumns(invitation), mailed_token_hashes: [] })
    .onConflict(db.raw('(test_suite_id, lower(email)) where email is not null'))
    .merge(['role', 'email', 'invited_by', 'token_hash', 'mailed_token_hashes', 'created_at', 'expires_at'])
    .returning('id');
  return onlyOf(rows).id;
}

export async function addMailedToken(db: Db, id: string, tokenHash: string): Promise<void> {
  await db('suite_invitations')
    .where({ id })
    .update({ mailed_token_hashes: db.raw('array_append(mailed_token_hashes, ?)', [tokenHash]) });
}

/** Expired ones are useless. They are deleted with the next invitation to their suite. */
export async function deleteLapsedInvitations(db: Db, suiteId: string, now: Date): Promise<void> {
  await db('suite_invitations').where({ test_suite_id: suiteId }).where('expires_at', '<=', now).delete();
}

/** Null: somebody else accepted or withdrew it, or the suite has no such invitation. */
export async function deleteInvitation(db: Db, suiteId: string, id: string): Promise<{ email: string | null } | null> {
  const [deleted] = await db('suite_invitations').where({ test_suite_id: suiteId, id }).delete(['email']);
  return deleted ?? null;
}
