import { z } from 'zod';
import {
  addPasskey,
  offerPasskey,
  readPasskeys,
  removePasskey,
  signInWithPasskey,
} from '../../auth/passkeys/change-passkeys.ts';
import { CREDENTIAL_MAX_LENGTH, PASSKEY_NAME_MAX_LENGTH, type Passkey } from '../../auth/passkeys/passkey.ts';
import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { Id } from '../../http/acts-on.ts';
import { signBrowserIn } from '../../http/cookies.ts';
import { ownPath } from '../../http/own-path.ts';
import { requiredText } from '../../text/trimmed-text.ts';
import { asking, buildFields } from '../form-field.ts';
import { formRoute, publicFormRoute, redirect } from '../web-route.ts';
import { getSignIn, NextQuery } from './sign-in-form.ts';

const NAME_FIELD = {
  label: 'Device or password manager',
  required: true,
  note: 'Where the passkey is kept. It is listed under this name.',
  attributes: { maxlength: PASSKEY_NAME_MAX_LENGTH },
};

function passkeyRow(passkey: Passkey) {
  const { id, name } = passkey;
  return {
    ...passkey,
    remove: asking(
      'Remove',
      `Remove the passkey ${name}? You can no longer sign in with it.`,
      `/account/passkeys/${id}/remove`,
      { small: true, button: 'Remove passkey' },
    ),
  };
}

/** The passkeys on the account page. Null: they can't be used here. */
export async function passkeysModel(ctx: Context, viewer: Viewer) {
  const [passkeys, offer] = [await readPasskeys(ctx, viewer), await offerPasskey(ctx, viewer)];
  if (offer === null && passkeys.length === 0) return null;
  return {
    rows: passkeys.map(passkeyRow),
    offer: offer === null ? null : { ...offer, options: JSON.stringify(offer.options) },
    fields: buildFields({ passkeyName: NAME_FIELD }, null),
  };
}

const Answer = { answer: z.string().max(CREDENTIAL_MAX_LENGTH), sealed: z.string().max(1000) };

export const postPasskey = formRoute(
  {
    path: '/account/passkeys',
    form: z.object({ ...Answer, passkeyName: requiredText(PASSKEY_NAME_MAX_LENGTH) }),
  },
  async (ctx, { viewer, form: { passkeyName: name, ...form } }) => {
    await addPasskey(ctx, viewer, { ...form, name });
    return redirect('/account#passkeys', 'Passkey added');
  },
);

export const postRemovePasskey = formRoute(
  { path: '/account/passkeys/:passkeyId/remove', params: z.object({ passkeyId: Id }) },
  async (ctx, { viewer, params }) => {
    await removePasskey(ctx, viewer, params.passkeyId);
    return redirect('/account#passkeys', 'Passkey removed');
  },
);

export const postPasskeySignIn = publicFormRoute(
  {
    path: '/passkey-sign-in',
    query: NextQuery,
    form: z.object(Answer),
    rateLimit: 'passkey-sign-in',
    redisplay: getSignIn.show,
  },
  async (ctx, { form, query, cookies }) => {
    signBrowserIn(ctx, cookies, await signInWithPasskey(ctx, form));
    return redirect(ownPath(query.next));
  },
);
