import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { viewerOf } from '../../src/auth/find-viewer.ts';
import { forgotPassword } from '../../src/auth/forgot-password.ts';
import { logIn } from '../../src/auth/log-in.ts';
import { register } from '../../src/auth/register.ts';
import { resetPassword } from '../../src/auth/reset-password.ts';
import { createTestDatabase } from '../support/database.ts';
import { LOW_COST, PASSWORD, authContext } from './auth-fixture.ts';
import type { AuthContext } from './auth-fixture.ts';

const NEW_PASSWORD = 'staple battery';
const MINUTE = 60_000;
const EMAIL = 'ada@example.com';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  await database.db('users').delete();
  await database.db.raw('delete from graphile_worker._private_jobs');
});

const fixture = (settings = {}, configured = true) => authContext(database.db, settings, configured);

type MailJob = { payload: { to: string; subject: string; text: string }; maxAttempts: number };

async function queuedMails(): Promise<MailJob[]> {
  return database.db('graphile_worker._private_jobs').orderBy('id').select('payload', 'max_attempts');
}

const tokenIn = (text: string) => /\/reset-password\?token=([\w-]{43})\b/.exec(text)?.[1] ?? '';

async function askForToken(ctx: AuthContext): Promise<string> {
  await forgotPassword(ctx, { email: EMAIL });
  return tokenIn((await queuedMails()).at(-1)?.payload.text ?? '');
}

const signUp = (ctx: AuthContext, email = EMAIL) => register(ctx, { email, password: PASSWORD }, LOW_COST);
const gone = { kind: 'invalid', details: expect.objectContaining({ code: 'invalid_reset_token' }) };

describe('forgetting a password', () => {
  it('queues one mail to the address of the account, with a link that lapses in an hour', async () => {
    const { ctx } = fixture();
    await signUp(ctx);
    await forgotPassword(ctx, { email: ' ADA@example.com' });
    const mails = await queuedMails();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.payload.to).toBe(EMAIL);
    expect(mails[0]?.payload.text).toMatch(/^https:\/\/gate\.example\/reset-password\?token=[\w-]{43}$/m);
    const [row] = await database.db('password_reset_tokens').select('expires_at');
    expect(row.expiresAt).toEqual(new Date(ctx.clock.now().getTime() + 60 * MINUTE));
  });

  it('stores the SHA-256 of the token only', async () => {
    const { ctx } = fixture();
    await signUp(ctx);
    const token = await askForToken(ctx);
    const rows = await database.db('password_reset_tokens').select('*');
    expect(rows).toHaveLength(1);
    expect(rows[0].tokenHash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it.each(['unknown@example.com', 'not an address', '', 'ada@example.com\u0000'])(
    'answers the same for %j, and queues nothing',
    async (email) => {
      const { ctx } = fixture();
      await signUp(ctx);
      await expect(forgotPassword(ctx, { email })).resolves.toBeUndefined();
      expect(await queuedMails()).toEqual([]);
      expect(await database.db('password_reset_tokens').select('id')).toEqual([]);
    },
  );

  it('keeps one mail waiting for an account that asks again, and both links work', async () => {
    const { ctx } = fixture();
    await signUp(ctx);
    const first = await askForToken(ctx);
    const second = await askForToken(ctx);
    expect(second).not.toBe(first);
    expect(await queuedMails()).toHaveLength(1);
    await resetPassword(ctx, { token: first, password: NEW_PASSWORD }, LOW_COST);
  });

  it('clears tokens that have lapsed away', async () => {
    const { ctx, wait } = fixture();
    await signUp(ctx);
    await askForToken(ctx);
    wait(60 * MINUTE);
    await askForToken(ctx);
    expect(await database.db('password_reset_tokens').select('id')).toHaveLength(1);
  });

  it('logs the link in development without a mail server', async () => {
    const { ctx, lines } = fixture({}, false);
    await signUp(ctx);
    await forgotPassword(ctx, { email: EMAIL });
    expect(await queuedMails()).toEqual([]);
    await resetPassword(ctx, { token: tokenIn(lines.join('')), password: NEW_PASSWORD }, LOW_COST);
  });

  it('logs a warning and no link in production without a mail server', async () => {
    const { ctx, lines } = fixture({ production: true }, false);
    await signUp(ctx);
    await forgotPassword(ctx, { email: EMAIL });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, msg: expect.stringContaining('SMTP_URL') });
    expect(lines[0]).not.toContain('token=');
    expect(await database.db('password_reset_tokens').select('id')).toEqual([]);
  });

  it('leaves no token behind when the mail cannot be queued', async () => {
    const { ctx } = fixture();
    await signUp(ctx);
    await database.db.raw('alter table graphile_worker._private_jobs rename to away');
    await expect(forgotPassword(ctx, { email: EMAIL })).rejects.toThrow('does not exist');
    await database.db.raw('alter table graphile_worker.away rename to _private_jobs');
    expect(await database.db('password_reset_tokens').select('id')).toEqual([]);
  });
});

describe('resetting a password', () => {
  it('lets the new password in, and the old one no more', async () => {
    const { ctx } = fixture();
    await signUp(ctx);
    await resetPassword(ctx, { token: await askForToken(ctx), password: NEW_PASSWORD }, LOW_COST);
    await expect(logIn(ctx, { email: EMAIL, password: PASSWORD })).rejects.toMatchObject({ kind: 'unauthenticated' });
    await expect(logIn(ctx, { email: EMAIL, password: NEW_PASSWORD })).resolves.toMatchObject({
      user: { email: EMAIL },
    });
  });

  it('signs out every session that was open, of this account only', async () => {
    const { ctx } = fixture();
    const ada = await signUp(ctx);
    const eve = await signUp(ctx, 'eve@example.com');
    await resetPassword(ctx, { token: await askForToken(ctx), password: NEW_PASSWORD }, LOW_COST);
    expect(await viewerOf(ctx, ada.token)).toBeNull();
    expect(await viewerOf(ctx, eve.token)).toEqual(eve.user);
    const again = await logIn(ctx, { email: EMAIL, password: NEW_PASSWORD });
    expect(await viewerOf(ctx, again.token)).toMatchObject({ id: ada.user.id });
  });

  it('works once', async () => {
    const { ctx } = fixture();
    await signUp(ctx);
    const token = await askForToken(ctx);
    await resetPassword(ctx, { token, password: NEW_PASSWORD }, LOW_COST);
    await expect(resetPassword(ctx, { token, password: PASSWORD }, LOW_COST)).rejects.toMatchObject(gone);
    await expect(logIn(ctx, { email: EMAIL, password: NEW_PASSWORD })).resolves.toBeDefined();
  });

  it('works for one hour', async () => {
    const { ctx, wait } = fixture();
    await signUp(ctx);
    const token = await askForToken(ctx);
    wait(60 * MINUTE);
    await expect(resetPassword(ctx, { token, password: NEW_PASSWORD }, LOW_COST)).rejects.toMatchObject(gone);
    await expect(logIn(ctx, { email: EMAIL, password: PASSWORD })).resolves.toBeDefined();
  });

  it('kills the other links of the account, and of no other account', async () => {
    const { ctx } = fixture();
    await signUp(ctx);
    await signUp(ctx, 'eve@example.com');
    await forgotPassword(ctx, { email: 'eve@example.com' });
    const older = await askForToken(ctx);
    const newer = await askForToken(ctx);
    await resetPassword(ctx, { token: newer, password: NEW_PASSWORD }, LOW_COST);
    await expect(resetPassword(ctx, { token: older, password: PASSWORD }, LOW_COST)).rejects.toMatchObject(gone);
    expect(await database.db('password_reset_tokens').select('id')).toHaveLength(1);
  });

  it('is done by one of ten calls at the same moment, whichever links of the account they hold', async () => {
    const { ctx } = fixture();
    const { user } = await signUp(ctx);
    const tokens = [await askForToken(ctx), await askForToken(ctx)];
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
    const { ctx } = fixture();
    await signUp(ctx);
    const token = await askForToken(ctx);
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
