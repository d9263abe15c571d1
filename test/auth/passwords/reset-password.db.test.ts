import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { forgotPassword, resetPassword, sendResetLink } from '../../../src/auth/passwords/change-password.ts';
import { logIn } from '../../../src/auth/passwords/log-in.ts';
import { register } from '../../../src/auth/register.ts';
import { findViewer } from '../../../src/auth/sessions/start-session.ts';
import { createTestDatabase } from '../../support/database.ts';
import { authContext, LOW_COST, PASSWORD, type AuthContext } from '../auth-fixture.ts';

const NEW_PASSWORD = 'staple battery';
const MINUTE = 60_000;
const EMAIL = 'ada@example.com';

const database = await createTestDatabase();
afterAll(() => database.drop());

beforeEach(async () => {
  await database.db('users').delete();
  await database.db.raw('delete from graphile_worker._private_jobs');
});

const fixture = (settings = {}, configured = true) => authContext(database.db, settings, configured);

const queuedEmails = async (): Promise<string[]> => {
  const jobs = await database
    .db('graphile_worker._private_jobs')
    .orderBy('id')
    .select<{ payload: { email: string } }[]>('payload');
  return jobs.map((job) => job.payload.email);
};

const tokenIn = (text: string) => /\/reset-password\?token=([\w-]{43})\b/.exec(text)?.[1] ?? '';

/** Makes the request, then runs the job that it queued. */
async function askForToken({ ctx, mails }: ReturnType<typeof fixture>): Promise<string> {
  await forgotPassword(ctx, { email: EMAIL });
  await sendResetLink(ctx, { email: EMAIL });
  return tokenIn(mails.at(-1)?.text ?? '');
}

const signUp = (ctx: AuthContext, email = EMAIL) => register(ctx, { email, password: PASSWORD }, LOW_COST);
const gone = { kind: 'invalid', details: expect.objectContaining({ code: 'invalid_reset_token' }) };

describe('forgetting a password', () => {
  it.each([EMAIL, ' ADA@example.com', 'unknown@example.com'])(
    'queues one job for %j, account or not',
    async (email) => {
      const { ctx } = fixture();
      await signUp(ctx);
      await forgotPassword(ctx, { email });
      await forgotPassword(ctx, { email });
      expect(await queuedEmails()).toEqual([email.trim().toLowerCase()]);
      expect(await database.db('password_reset_tokens').select('id')).toEqual([]);
    },
  );
});

describe('the mail with the reset link', () => {
  it('goes to the address of the account, with a link that lapses in an hour', async () => {
    const { ctx, mails } = fixture();
    await signUp(ctx, 'Ada@Example.com');
    await sendResetLink(ctx, { email: EMAIL });
    expect(mails.map((mail) => mail.to)).toEqual(['Ada@Example.com']);
    expect(mails[0]?.text).toMatch(/^https:\/\/gate\.example\/reset-password\?token=[\w-]{43}$/m);
    const [row] = await database.db('password_reset_tokens').select('expires_at');
    expect(row.expiresAt).toEqual(new Date(ctx.clock.now().getTime() + 60 * MINUTE));
  });

  it('is the only place of the token: stored is its SHA-256', async () => {
    const world = fixture();
    await signUp(world.ctx);
    const token = await askForToken(world);
    const rows = await database.db('password_reset_tokens').select('*');
    expect(rows).toHaveLength(1);
    expect(rows[0].tokenHash).toBe(createHash('sha256').update(token).digest('hex'));
    const jobs = await database.db('graphile_worker._private_jobs').select('*');
    expect(JSON.stringify([rows, jobs])).not.toContain(token);
  });

  it('is not sent where there is no account', async () => {
    const { ctx, mails } = fixture();
    await signUp(ctx);
    await sendResetLink(ctx, { email: 'unknown@example.com' });
    expect(mails).toEqual([]);
    expect(await database.db('password_reset_tokens').select('id')).toEqual([]);
  });

  it('may be sent twice, and either link works', async () => {
    const world = fixture();
    await signUp(world.ctx);
    const first = await askForToken(world);
    expect(await askForToken(world)).not.toBe(first);
    await resetPassword(world.ctx, { token: first, password: NEW_PASSWORD }, LOW_COST);
  });

  it('clears tokens that have lapsed away', async () => {
    const world = fixture();
    await signUp(world.ctx);
    await askForToken(world);
    world.wait(60 * MINUTE);
    await askForToken(world);
    expect(await database.db('password_reset_tokens').select('id')).toHaveLength(1);
  });

  it('is a log line in development without a mail server', async () => {
    const { ctx, lines, mails } = fixture({}, false);
    await signUp(ctx);
    await sendResetLink(ctx, { email: EMAIL });
    expect(mails).toEqual([]);
    await resetPassword(ctx, { token: tokenIn(lines.join('')), password: NEW_PASSWORD }, LOW_COST);
  });

  it('is a warning and no link in production without a mail server', async () => {
    const { ctx, lines } = fixture({ production: true }, false);
    await signUp(ctx);
    await sendResetLink(ctx, { email: EMAIL });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, msg: expect.stringContaining('SMTP_URL') });
    expect(lines[0]).not.toContain('token=');
    expect(await database.db('password_reset_tokens').select('id')).toEqual([]);
  });
});

describe('resetting a password', () => {
  it('lets the new password in, and the old one no more', async () => {
    const world = fixture();
    const { ctx } = world;
    await signUp(ctx);
    await resetPassword(ctx, { token: await askForToken(world), password: NEW_PASSWORD }, LOW_COST);
    await expect(logIn(ctx, { email: EMAIL, password: PASSWORD })).rejects.toMatchObject({ kind: 'unauthenticated' });
    await expect(logIn(ctx, { email: EMAIL, password: NEW_PASSWORD })).resolves.toMatchObject({
      user: { email: EMAIL },
    });
  });

  it('signs out every session that was open, of this account only', async () => {
    const world = fixture();
    const { ctx } = world;
    const ada = await signUp(ctx);
    const eve = await signUp(ctx, 'eve@example.com');
    await resetPassword(ctx, { token: await askForToken(world), password: NEW_PASSWORD }, LOW_COST);
    expect(await findViewer(ctx, ada.token)).toBeNull();
    expect(await findViewer(ctx, eve.token)).toMatchObject(eve.user);
    const again = await logIn(ctx, { email: EMAIL, password: NEW_PASSWORD });
    expect(await findViewer(ctx, again.token)).toMatchObject({ id: ada.user.id });
  });

  it('works once', async () => {
    const world = fixture();
    const { ctx } = world;
    await signUp(ctx);
    const token = await askForToken(world);
    await resetPassword(ctx, { token, password: NEW_PASSWORD }, LOW_COST);
    await expect(resetPassword(ctx, { token, password: PASSWORD }, LOW_COST)).rejects.toMatchObject(gone);
    await expect(logIn(ctx, { email: EMAIL, password: NEW_PASSWORD })).resolves.toBeDefined();
  });

  it('works for one hour', async () => {
    const world = fixture();
    const { ctx, wait } = world;
    await signUp(ctx);
    const token = await askForToken(world);
    wait(60 * MINUTE);
    await expect(resetPassword(ctx, { token, password: NEW_PASSWORD }, LOW_COST)).rejects.toMatchObject(gone);
    await expect(logIn(ctx, { email: EMAIL, password: PASSWORD })).resolves.toBeDefined();
  });

  it('kills the other links of the account, and of no other account', async () => {
    const world = fixture();
    const { ctx } = world;
    await signUp(ctx);
    await signUp(ctx, 'eve@example.com');
    await sendResetLink(ctx, { email: 'eve@example.com' });
    const older = await askForToken(world);
    const newer = await askForToken(world);
    await resetPassword(ctx, { token: newer, password: NEW_PASSWORD }, LOW_COST);
    await expect(resetPassword(ctx, { token: older, password: PASSWORD }, LOW_COST)).rejects.toMatchObject(gone);
    expect(await database.db('password_reset_tokens').select('id')).toHaveLength(1);
  });

  it('is done by one of ten calls at the same moment, whichever links of the account they hold', async () => {
    const world = fixture();
    const { ctx } = world;
    const { user } = await signUp(ctx);
    const tokens = [await askForToken(world), await askForToken(world)];
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        resetPassword(ctx, { token: tokens[index % 2] ?? '', password: `${NEW_PASSWORD} ${index}` }, LOW_COST),
      ),
    );
    const failures = attempts.filter((attempt) => attempt.status === 'rejected').map(({ reason }): unknown => reason);
    expect(failures).toEqual(Array.from({ length: 9 }, () => expect.objectContaining(gone)));
    const row = await database.db('users').where({ id: user.id }).first('session_version');
    expect(row).toEqual({ sessionVersion: 2 });
  });

  it('refuses a password that breaks the rule, and the link stays good', async () => {
    const world = fixture();
    const { ctx } = world;
    await signUp(ctx);
    const token = await askForToken(world);
    await expect(resetPassword(ctx, { token, password: 'short' }, LOW_COST)).rejects.toMatchObject({
      kind: 'invalid',
      details: { code: 'validation_failed', issues: [{ path: 'password' }] },
    });
    await resetPassword(ctx, { token, password: NEW_PASSWORD }, LOW_COST);
  });

  it.each(['', 'x', 'a\u0000b', 'é'.repeat(10_000)])('refuses %j as a token', async (token) => {
    await expect(resetPassword(fixture().ctx, { token, password: NEW_PASSWORD }, LOW_COST)).rejects.toMatchObject(gone);
  });
});
