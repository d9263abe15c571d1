import { z } from 'zod';
import { nameKind, TOLD_KINDS } from '../../events/event.ts';
import { TargetChangeInput, TargetInput } from '../../notices/change-target.ts';
import type { ListedTarget, ShownDelivery } from '../../notices/read-targets.ts';
import * as targets from '../../notices/target.ts';
import type { Target } from '../../notices/target.ts';
import type { Badge } from '../badge.ts';
import { buildFields, many, sentValues, toOptions, type Problem } from '../form-field.ts';

const WORKING: Badge = { label: 'Working', tone: 'success', icon: 'check-circle' };
const BACKING_OFF: Badge = { label: 'Backing off', tone: 'attention', icon: 'clock' };
const GIVEN_UP: Badge = { label: 'Given up', tone: 'danger', icon: 'x-circle' };
const OFF: Badge = { label: 'Switched off', tone: 'muted', icon: 'circle-slash' };
const WAITING: Badge = { label: 'Waiting', tone: 'muted', icon: 'clock' };
const DELIVERED: Badge = { label: 'Delivered', tone: 'success', icon: 'check-circle' };
/** The flow of Teams may fail after its answer. */
const ACCEPTED: Badge = { label: 'Accepted', tone: 'accent', icon: 'check' };

function stateBadge({ stoppedBecause, switchedOff, retryAt }: ListedTarget): Badge {
  if (switchedOff) return OFF;
  if (stoppedBecause !== null) return GIVEN_UP;
  return retryAt === null ? WORKING : BACKING_OFF;
}

/** A target in a list, and at the top of its own page. */
export function targetRow(target: ListedTarget, path: string) {
  const { stoppedBecause } = target;
  return {
    ...target,
    href: `${path}/${target.id}`,
    kind: KIND_NAMES[target.kind],
    badge: stateBadge(target),
    isStopped: stoppedBecause !== null,
    reason: target.switchedOff ? null : stoppedBecause,
  };
}

function deliveryBadge({ state, attempts }: ShownDelivery, kind: Target['kind']): Badge {
  if (state === 'GIVEN_UP') return GIVEN_UP;
  if (state === 'SENT') return kind === 'TEAMS' ? ACCEPTED : DELIVERED;
  return attempts === 0 ? WAITING : BACKING_OFF;
}

/** A message to a target. @param path of the target */
export function deliveryRow(delivery: ShownDelivery, kind: Target['kind'], path: string) {
  const { state, attempts, error } = delivery;
  return {
    ...delivery,
    title: nameKind(delivery.message.type),
    badge: deliveryBadge(delivery, kind),
    retryAt: state === 'WAITING' && attempts > 0 ? delivery.dueAt : null,
    error: state === 'SENT' ? null : error,
    request: JSON.stringify(JSON.parse(delivery.request), null, 2),
    again: `${path}/deliveries/${delivery.id}/send`,
  };
}

export const KIND_NAMES: Record<targets.TargetKind, string> = {
  WEBHOOK: 'Webhook',
  SLACK: 'Slack',
  TEAMS: 'Microsoft Teams',
};

export const KIND_SENTENCES: Record<targets.TargetKind, string> = {
  WEBHOOK: 'Your program gets each event as JSON, with a Standard Webhooks signature.',
  SLACK: 'Enter the address of an incoming webhook of a Slack app. It posts to one channel.',
  TEAMS: 'Enter the address of a Workflows flow that posts to a chat or a channel.',
};

const TELLS_NAMES: Record<targets.Target['tells'], string> = {
  FAILED: 'Only what failed or waits for a review',
  ALWAYS: 'All of these events',
};

/** As forms send it. Slack: without a channel there are no pictures, without a token the stored one is kept. */
const Sent = z.looseObject({ listens: many, token: z.string().default(''), channel: z.string().optional() });

function readTarget(form: unknown): unknown {
  const sent = Sent.safeParse(form);
  if (!sent.success) return form;
  const { token, channel, ...fields } = sent.data;
  if (channel === undefined) return fields;
  const bot = token.trim() === '' ? { channel } : { token, channel };
  return { ...fields, bot: channel.trim() === '' ? null : bot };
}

export const CreateForm = z.preprocess(readTarget, TargetInput.required({ listens: true }));

/** An empty address stays as it is. */
const keepUrl = z
  .string()
  .transform((text) => (text.trim() === '' ? undefined : text))
  .pipe(TargetChangeInput.shape.url);

export const ChangeForm = z.preprocess(
  readTarget,
  TargetChangeInput.omit({ isActive: true })
    .required({ listens: true })
    .extend({ url: keepUrl, version: z.string().optional() }),
);

/** A webhook can't show private pictures. With a bot, the largest changes are uploaded into its channel. */
const botFields = (target: targets.Target | null, problem: Problem | null) =>
  buildFields(
    {
      channel: {
        label: 'Channel for pictures',
        value: target?.channel ?? null,
        issue: 'bot.channel',
        note: 'The ID of the channel, such as C0123456789. With it, pictures of the three largest changes are uploaded.',
        attributes: { maxlength: targets.CHANNEL_MAX_LENGTH, autocomplete: 'off', spellcheck: 'false' },
      },
      token: {
        label: 'Bot token',
        type: 'password',
        issue: 'bot.token',
        note:
          (target?.channel ?? null) === null
            ? 'Of a bot in that channel, with the scope files:write. It is encrypted, and never shown again.'
            : 'Leave it empty to keep the one that is set.',
        attributes: { maxlength: targets.BOT_TOKEN_MAX_LENGTH, autocomplete: 'off' },
      },
    },
    problem,
  );

/**
 * The controls of a target.
 * @param target null: a new one of this kind
 * @param problem of the form that was sent
 */
export function targetFields(kind: targets.TargetKind, target: targets.Target | null, problem: Problem | null) {
  const listening = sentValues(problem, 'listens') ?? target?.listens ?? targets.usualKinds(kind);
  const fields = buildFields(
    {
      name: {
        label: 'Name',
        required: true,
        value: target?.name ?? null,
        attributes: { maxlength: targets.TARGET_NAME_MAX_LENGTH, autocomplete: 'off' },
      },
      url: {
        label: target === null ? 'Address' : 'New address',
        type: 'url',
        required: target === null,
        note:
          target === null
            ? 'It is encrypted, and never shown again.'
            : `Leave it empty to keep the one at ${target.host}.`,
        attributes: { maxlength: targets.TARGET_URL_MAX_LENGTH, autocomplete: 'off', spellcheck: 'false' },
      },
      tells: {
        label: 'Send',
        type: 'select',
        value: target?.tells ?? targets.usualTells(kind),
        options: toOptions(TELLS_NAMES),
      },
    },
    problem,
  );
  return {
    fields,
    bot: kind === 'SLACK' ? botFields(target, problem) : null,
    events: TOLD_KINDS.map((value) => ({ value, label: nameKind(value), checked: listening.includes(value) })),
    eventsProblem: problem?.fields['listens'] ?? null,
  };
}
