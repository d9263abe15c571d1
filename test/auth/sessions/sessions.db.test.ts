import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { logIn } from '../../../src/auth/passwords/log-in.ts';
import { register } from '../../../src/auth/register.ts';
import { SEEN_EVERY_MS } from '../../../src/auth/sessions/session.ts';
import { endOtherSessions, endSession, findViewer, readSessions } from '../../../src/auth/sessions/start-session.ts';
import { createToken } from '../../../src/auth/tokens/create-token.ts';
import type { Viewer } from '../../../src/auth/user.ts';
import { createTestDatabase } from '../../support/database.ts';
import { authContext, LOW_COST, PASSWORD } from '../auth-fixture.ts';

const EMAIL = 'ada@example.com';

const database = await createTestDatabase();
afterAll(() => database.drop());

let world: ReturnType<typeof authContext>;
beforeEach(async () => {
  await database.db('users').delete();
  world = authContext(database.db);
  await register(world.ctx, { email: EMAIL, password: PASSWORD }, LOW_COST);
});

const signIn = async () => (await logIn(world.ctx, { email: EMAIL, password: PASSWORD })).token;

async function use(token: string, userAgent: string): Promise<Viewer> {
  const viewer = await findViewer(world.ctx, token, userAgent);
  if (viewer === null) throw new Error('The session has ended');
  return viewer;
}

const agents = async (viewer: Viewer) =>
  (await readSessions(world.ctx, viewer)).sessions.map(({ userAgent }) => userAgent);

describe('sessions', () => {
  it('are listed by browser, the last used first, with the one that has not been used', async () => {
    const [laptop, phone] = [await signIn(), await signIn()];
    const viewer = await use(laptop, 'Laptop');
    world.wait(1000);
    await use(phone, 'Phone');
    expect(await agents(viewer)).toEqual(['Phone', 'Laptop', null]);
  });

  it('say to five minutes when they were last used', async () => {
    const token = await signIn();
    const viewer = await use(token, 'Laptop');
    const at = world.ctx.clock.now();
    const lastSeen = async () => (await readSessions(world.ctx, viewer)).sessions[0]?.lastSeenAt;
    world.wait(SEEN_EVERY_MS - 1);
    await use(token, 'Laptop');
    expect(await lastSeen()).toEqual(at);
    world.wait(1);
    await use(token, 'Laptop 2');
    expect(await lastSeen()).toEqual(world.ctx.clock.now());
    expect((await agents(viewer))[0]).toBe('Laptop 2');
  });

  it('end one by one, and only by their own account', async () => {
    const [laptop, phone] = [await signIn(), await signIn()];
    const [viewer, other] = [await use(laptop, 'Laptop'), await use(phone, 'Phone')];
    const stranger = (await register(world.ctx, { email: 'eve@example.com', password: PASSWORD }, LOW_COST)).user;
    const id = String(other.sessionId);
    await expect(endSession(world.ctx, stranger, id)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await findViewer(world.ctx, phone)).not.toBeNull();
    await endSession(world.ctx, viewer, id);
    expect(await findViewer(world.ctx, phone)).toBeNull();
    expect(await findViewer(world.ctx, laptop)).not.toBeNull();
  });

  it('end all but one, and API tokens keep working', async () => {
    const [laptop, phone] = [await signIn(), await signIn()];
    const viewer = await use(laptop, 'Laptop');
    const { secret } = await createToken(world.ctx, viewer, { name: 'script', expiresInDays: 1 });
    expect(await endOtherSessions(world.ctx, viewer)).toBe(2);
    expect(await findViewer(world.ctx, phone)).toBeNull();
    expect(await agents(viewer)).toEqual(['Laptop']);
    const byToken = await findViewer(world.ctx, secret);
    expect(byToken).toMatchObject({ email: EMAIL });
    if (byToken === null) throw new Error('The token does not work');
    await expect(endOtherSessions(world.ctx, byToken)).rejects.toMatchObject({ details: { code: 'no_session' } });
  });

  it('that have expired are not listed, and are deleted at the next sign-in', async () => {
    const viewer = await use(await signIn(), 'Laptop');
    world.wait(world.ctx.config.sessionTtl);
    expect(await agents(viewer)).toEqual([]);
    await signIn();
    expect(await database.db('sessions').select('id')).toHaveLength(1);
  });
});
