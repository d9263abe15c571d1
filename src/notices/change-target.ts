import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { TOLD_KINDS } from '../events/event.ts';
import { enqueue } from '../queue/enqueue.ts';
import { parseHttpUrl } from '../suites/suite-input.ts';
import { requiredText, trimmedText } from '../text/input-words.ts';
import { giveUpWaiting, hurryDeliveries, insertDeliveries, sendDeliveryAgain } from './delivery-store.ts';
import { TEST_TYPE, type Message } from './message.ts';
import type { OwnTarget, TargetsOf } from './read-targets.ts';
import { recordTarget, recordTargetChange } from './record-target.ts';
import { changeTarget, countTargets, insertTarget, lockTarget, lockTargets, removeTarget } from './target-store.ts';
import {
  BOT_TOKEN_MAX_LENGTH,
  CHANNEL_MAX_LENGTH,
  MOST_TARGETS,
  OVERLAP_HOURS,
  TARGET_KINDS,
  TARGET_NAME_MAX_LENGTH,
  TARGET_SECRETS,
  TARGET_URL_MAX_LENGTH,
  targetVersion,
  TELLS,
  usualKinds,
  usualTells,
  type Target,
  type TargetKind,
  type TargetSecrets,
} from './target.ts';

/** Why nothing is sent to a target that somebody switched off. */
const SWITCHED_OFF = 'It was switched off';

type ChangeContext = Pick<Context, 'config' | 'db' | 'network' | 'clock' | 'log'>;

const bot = z.strictObject({
  token: trimmedText(BOT_TOKEN_MAX_LENGTH).regex(/^xoxb-[\w-]+$/, 'must be a bot token, which begins with xoxb-'),
  channel: trimmedText(CHANNEL_MAX_LENGTH).regex(/^[CG][A-Z0-9]+$/, 'must be the ID of a channel, such as C0123456789'),
});

const fields = {
  name: requiredText(TARGET_NAME_MAX_LENGTH),
  url: requiredText(TARGET_URL_MAX_LENGTH),
  listens: z.array(z.enum(TOLD_KINDS)).min(1, 'must have at least one kind of event').max(TOLD_KINDS.length),
  tells: z.enum(TELLS),
};

export const TargetInput = z.object({
  kind: z.enum(TARGET_KINDS),
  name: fields.name,
  url: fields.url,
  listens: fields.listens.optional(),
  tells: fields.tells.optional(),
  bot: bot.nullable().optional(),
});

export const TargetChangeInput = z.object({
  name: fields.name.optional(),
  url: fields.url.optional(),
  listens: fields.listens.optional(),
  tells: fields.tells.optional(),
  bot: bot.partial({ token: true }).nullable().optional().describe('Without a token, it keeps the one that is set'),
  isActive: z.boolean().optional().describe('`false` switches it off, `true` puts it back in use'),
});

/** The answer shows the secret this one time. Null: targets of this kind have none. */
export type CreatedTarget = { target: Target; secret: string | null };

async function checkUrl({ network }: Pick<Context, 'network'>, text: string): Promise<URL> {
  const url = parseHttpUrl(text, 'url');
  await network.assertAllowed(url);
  return new URL(url);
}

type Bot = z.output<typeof bot> | null;

function requireSlack(kind: TargetKind, given: object | null | undefined): void {
  const problems = [{ path: 'bot', message: 'is only for Slack targets' }];
  if (kind !== 'SLACK' && given !== undefined && given !== null) throw invalid('Only Slack takes a bot', problems);
}

/** `given`: undefined stays as it is. */
const withBot = ({ bot: before, ...secrets }: TargetSecrets, given: Bot | undefined): TargetSecrets => {
  const after = given === undefined ? before : (given ?? undefined);
  return after === undefined ? secrets : { ...secrets, bot: after };
};

/** The bot with the token that it keeps. Undefined: it stays as it is. @throws AppError invalid without a token */
function changeBot(stored: TargetSecrets | null, given: z.output<typeof TargetChangeInput>['bot']): Bot | undefined {
  if (given === undefined) return undefined;
  if (given === null) return stored !== null && stored.bot === undefined ? undefined : null;
  const token = given.token ?? stored?.bot?.token;
  if (token === undefined) {
    throw invalid('The bot has no token yet', [{ path: 'bot.token', message: 'must not be empty' }]);
  }
  const isSame = token === stored?.bot?.token && given.channel === stored.bot.channel;
  return isSame ? undefined : { token, channel: given.channel };
}

/** As Standard Webhooks writes a symmetric secret. */
const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** @throws AppError invalid; unprocessable for a private address; conflict at the limit. */
export async function createTarget(
  ctx: ChangeContext,
  { suiteId, viewer }: TargetsOf,
  input: z.output<typeof TargetInput>,
): Promise<CreatedTarget> {
  const { kind, name } = input;
  requireSlack(kind, input.bot);
  const url = await checkUrl(ctx, input.url);
  const id = randomUUID();
  const secret = kind === 'WEBHOOK' ? newSigningSecret() : null;
  const secrets = withBot({ url: url.href, ...(secret === null ? {} : { secret }) }, input.bot);
  const target = await inTransaction(ctx.db, async (trx) => {
    await lockTargets(trx, suiteId);
    if ((await countTargets(trx, suiteId)) >= MOST_TARGETS) {
      throw conflict(`There are already ${MOST_TARGETS} targets`, 'too_many_targets');
    }
    const inserted = await insertTarget(trx, {
      id,
      testSuiteId: suiteId,
      kind,
      name,
      host: url.host,
      channel: input.bot?.channel ?? null,
      listens: input.listens ?? usualKinds(kind),
      tells: input.tells ?? usualTells(kind),
      sealed: TARGET_SECRETS.seal(ctx.config, id, secrets),
    });
    await recordTarget(trx, viewer, 'target.created', inserted);
    return inserted;
  });
  return { target, secret };
}

function requireSecrets(secrets: TargetSecrets | null): TargetSecrets {
  if (secrets === null) throw invalid('Its address can no longer be read. Set it again first');
  return secrets;
}

/** The target as it is now, and what is sealed of it: null if that was done with another `JWT_SECRET`. */
async function lockWithSecrets({ config }: ChangeContext, trx: Db, id: string) {
  const target = await lockTarget(trx, id);
  if (target === null) throw notFound('Target');
  return { target, secrets: TARGET_SECRETS.open(config, id, target.sealed) };
}

const changedMeanwhile = ({ name }: Target) =>
  conflict(`${name} was changed in the meantime. Nothing was saved. Open its page again`, 'changed_meanwhile');

/** Everything that waits for the target is due. */
async function sendNow(trx: Db, targetId: string): Promise<void> {
  await hurryDeliveries(trx, targetId);
  await enqueue(trx, 'send-deliveries', { targetId });
}

/**
 * @param seen the version from which the change was made. Undefined: whatever is stored
 * @throws AppError not_found; invalid; unprocessable for a private address; conflict `changed_meanwhile`.
 */
export async function updateTarget(
  ctx: ChangeContext,
  { viewer, id, kind }: OwnTarget,
  { name, url: text, listens, tells, bot: sent, isActive }: z.output<typeof TargetChangeInput>,
  seen?: string,
): Promise<Target> {
  requireSlack(kind, sent);
  const given = text === undefined ? null : await checkUrl(ctx, text);
  return inTransaction(ctx.db, async (trx) => {
    const { target: before, secrets: sealedBefore } = await lockWithSecrets(ctx, trx, id);
    if (seen !== undefined && seen !== targetVersion(before)) throw changedMeanwhile(before);
    const stored = given === null && sent === undefined ? null : sealedBefore;
    // Forms may send what is stored.
    const changedBot = changeBot(stored, sent);
    const url = given?.href === stored?.url ? null : given;
    const changed = url === null ? stored : { ...stored, url: url.href };
    const sealed =
      url === null && changedBot === undefined
        ? null
        : TARGET_SECRETS.seal(ctx.config, id, withBot(requireSecrets(changed), changedBot));
    const target = await changeTarget(trx, id, {
      ...(name === undefined ? {} : { name }),
      ...(listens === undefined ? {} : { listens }),
      ...(tells === undefined ? {} : { tells }),
      ...(isActive === undefined ? {} : { switchedOff: !isActive, stoppedBecause: isActive ? null : SWITCHED_OFF }),
      ...(url === null ? {} : { host: url.host }),
      ...(changedBot === undefined ? {} : { channel: changedBot?.channel ?? null }),
      ...(sealed === null ? {} : { sealed }),
    });
    if (target === null) throw notFound('Target');
    const secrets = [...(url === null ? [] : ['url']), ...(changedBot === undefined ? [] : ['bot'])];
    await recordTargetChange(trx, viewer, { before, after: target, secrets });
    if (isActive === false) await giveUpWaiting(trx, id, SWITCHED_OFF);
    if (given !== null) await sendNow(trx, id);
    return target;
  });
}

/** @throws AppError not_found */
export async function deleteTarget(ctx: Pick<Context, 'db'>, { viewer, ...target }: OwnTarget): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await removeTarget(trx, target.id))) throw notFound('Target');
    await recordTarget(trx, viewer, 'target.deleted', target);
  });
}

/**
 * Gives a webhook another secret. For a day, messages have the signatures of both.
 * @throws AppError not_found; invalid for targets that sign nothing.
 */
export async function rotateSecret(ctx: ChangeContext, { viewer, id, kind }: OwnTarget): Promise<CreatedTarget> {
  if (kind !== 'WEBHOOK') throw invalid('Only webhooks have a secret');
  const secret = newSigningSecret();
  const until = new Date(ctx.clock.now().getTime() + OVERLAP_HOURS * 3_600_000).toISOString();
  const target = await inTransaction(ctx.db, async (trx) => {
    const { url, secret: last } = requireSecrets((await lockWithSecrets(ctx, trx, id)).secrets);
    const previous = last === undefined ? {} : { previous: { secret: last, until } };
    const sealed = TARGET_SECRETS.seal(ctx.config, id, { url, secret, ...previous });
    const changed = await changeTarget(trx, id, { sealed });
    if (changed === null) throw notFound('Target');
    await recordTarget(trx, viewer, 'target.secret_changed', changed);
    return changed;
  });
  return { target, secret };
}

/** Sends a message of type `test`, after what waits already. */
export async function sendTest(ctx: ChangeContext, { id }: OwnTarget): Promise<void> {
  const message: Message = {
    type: TEST_TYPE,
    timestamp: ctx.clock.now().toISOString(),
    data: { suite: null, run: null, actor: { kind: 'clock', name: null, via: null }, causes: [], details: {} },
  };
  await inTransaction(ctx.db, async (trx) => {
    await insertDeliveries(trx, [id], `test_${randomUUID()}`, message);
    await sendNow(trx, id);
  });
}

/** Sends a message once more, with the same id. @throws AppError not_found */
export async function sendAgain(ctx: Pick<Context, 'db'>, { id }: OwnTarget, deliveryId: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await lockTarget(trx, id);
    if (!(await sendDeliveryAgain(trx, id, deliveryId))) throw notFound('Delivery');
    await sendNow(trx, id);
  });
}
