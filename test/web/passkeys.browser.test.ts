import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright';
import type { Context } from '../../src/context.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { axeViolationsInBothSchemes, openVisitorsBrowser, visit, type Visitor } from '../support/visitor.ts';
import { ledTo, postForm } from '../support/web-form.ts';

let api: TestApi;
let browser: Browser;
/** Browsers have passkeys for a domain only. */
let url: string;
beforeAll(async () => {
  let served: Context | undefined;
  const withOwnConfig = (ctx: Context) => (served = { ...ctx, config: { ...ctx.config } });
  [api, browser] = await Promise.all([startTestApi({}, withOwnConfig), openVisitorsBrowser()]);
  url = api.url.replace('127.0.0.1', 'localhost');
  Object.assign(served?.config ?? {}, { publicUrl: url });
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

const ABLE = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;

/** A browser on a device that keeps passkeys, and unlocks them. */
async function openDevice(
  account: Account,
  width = 1440,
): Promise<Visitor & { setVerified(is: boolean): Promise<void> }> {
  const visitor = await visit(browser, url, { token: account.token, viewport: { width, height: 800 } });
  const devtools = await visitor.page.context().newCDPSession(visitor.page);
  await devtools.send('WebAuthn.enable');
  const options = { ...ABLE, isUserVerified: true, automaticPresenceSimulation: true };
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    ...visitor,
    setVerified: async (isUserVerified) => {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto('/account');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByLabel('Device').fill(name);
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await passkeys.getByText(name, { exact: true }).waitFor();
}

/** Signs in with the device's passkey. @returns what the browser sent */
async function signIn(page: Page): Promise<Record<string, string>> {
  await page.context().clearCookies();
  await page.goto('/sign-in?next=/account');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  return Object.fromEntries(new URLSearchParams((await sent).postData() ?? ''));
}

const eventsOf = async ({ user }: Account) => {
  const rows = await api.ctx.db('events').where({ actor_id: user.id }).orderBy('id').select('kind');
  return rows.map(({ kind }) => kind);
};

const post = async (fields: Record<string, string>) => postForm(api, '/passkey-sign-in', fields);

describe('a passkey', () => {
  it.each([375, 1440])('signs in without a password, and can be removed, at %d px', async (width) => {
    const account = await api.account();
    const { page, complaints, leave } = await openDevice(account, width);
    await addPasskey(page, 'This laptop');
    expect(await page.getByRole('region', { name: 'Passkeys' }).textContent()).toContain('not used yet');
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    await page.context().clearCookies();
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);

    await signIn(page);
    await page.waitForURL('**/account');
    expect(await page.getByRole('region', { name: 'Passkeys' }).textContent()).toContain('last used');
    await page.getByRole('region', { name: 'Passkeys' }).getByText('Remove', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('Passkey removed').waitFor();
    await signIn(page);
    await page.getByText('This passkey could not sign you in').waitFor();
    expect(complaints).toEqual([]);
    expect(await eventsOf(account)).toEqual(
      expect.arrayContaining(['passkey.added', 'sign_in.succeeded', 'passkey.removed']),
    );
    await leave();
  });

  it('is not added twice to a device, and not used where the device stays locked', async () => {
    const { page, setVerified, leave } = await openDevice(await api.account());
    await addPasskey(page, 'Laptop');
    await page.getByLabel('Device').fill('Again');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device already has a passkey').waitFor();
    expect(await api.ctx.db('passkeys').where({ name: 'Again' })).toEqual([]);
    await setVerified(false);
    await page.context().clearCookies();
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('No passkey was used').waitFor();
    await leave();
  });

  it('gives an answer that signs in once, for an hour, as it was given', async () => {
    const account = await api.account();
    const { page, leave } = await openDevice(account);
    await addPasskey(page, 'Laptop');
    await page.route('**/passkey-sign-in*', async (route) => route.abort());
    const fields = await signIn(page);
    const answer = JSON.parse(fields['answer'] ?? '');
    const { signature } = answer.response;
    const forged = signature.slice(0, -6) + signature.slice(-6).replaceAll(/[A-Z]/g, 'a').replaceAll(/[0-9]/g, 'b');
    for (const wrong of [
      { ...fields, answer: JSON.stringify({ ...answer, response: { ...answer.response, signature: forged } }) },
      { ...fields, answer: '{}' },
      { ...fields, answer: 'x' },
      { ...fields, sealed: `${fields['sealed']}x` },
      { answer: fields['answer'] ?? '', sealed: '' },
    ]) {
      expect((await post(wrong)).status).toBe(401);
    }
    api.advance(61 * 60_000);
    expect((await post(fields)).status).toBe(401);
    api.advance(-61 * 60_000);
    expect(ledTo(await post(fields))).toEqual([303, '/']);
    expect((await post(fields)).status).toBe(401);
    await leave();
  });

  it('does not sign in to an account that is disabled', async () => {
    const account = await api.account();
    const { page, leave } = await openDevice(account);
    await addPasskey(page, 'Laptop');
    await api.ctx.db('users').where({ id: account.user.id }).update({ disabled_at: new Date() });
    await signIn(page);
    await page.getByText('This account is disabled').waitFor();
    // That of the registration.
    expect((await eventsOf(account)).filter((kind) => kind === 'sign_in.succeeded')).toHaveLength(1);
    await leave();
  });

  it('belongs to its person, and no API token adds one', async () => {
    const [owner, other] = [await api.account(), await api.account()];
    const { page, leave } = await openDevice(owner);
    await page.route('**/account/passkeys', async (route) => route.abort());
    await page.goto('/account');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('region', { name: 'Passkeys' }).getByLabel('Device').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const fields = Object.fromEntries(new URLSearchParams((await sent).postData() ?? ''));
    const { body } = await api.request('POST', '/api/tokens', { token: owner.token, body: { name: 'CI' } });
    expect((await postForm(api, '/account/passkeys', fields, { token: body.secret })).status).toBe(403);
    expect((await postForm(api, '/account/passkeys', fields, { token: other.token })).status).toBe(400);
    expect(ledTo(await postForm(api, '/account/passkeys', fields, { token: owner.token }))[0]).toBe(303);
    expect((await postForm(api, '/account/passkeys', fields, { token: owner.token })).status).toBe(409);
    const { id } = await api.ctx.db('passkeys').where({ user_id: owner.user.id }).first('id');
    const remove = `/account/passkeys/${id}/remove`;
    expect((await postForm(api, remove, {}, { token: other.token })).status).toBe(404);
    expect(ledTo(await postForm(api, remove, {}, { token: owner.token }))[0]).toBe(303);
    await leave();
  });

  it('is not offered without JavaScript, or at another address', async () => {
    const { page, leave } = await visit(browser, api.url);
    await page.goto('/sign-in');
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    await leave();
    const plain = await visit(browser, url, { javaScriptEnabled: false });
    await plain.page.goto('/sign-in');
    expect(await plain.page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    await plain.leave();
  });
});
