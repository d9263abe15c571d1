import { z } from 'zod';
import { nameKind } from '../../events/name-kind.ts';
import { TOLD_KINDS } from '../../events/told-kinds.ts';
import { TargetChangeInput, TargetInput } from '../../notices/change-target.ts';
import type { Target, TargetKind } from '../../notices/target.ts';
import { TARGET_NAME_MAX_LENGTH, TARGET_URL_MAX_LENGTH, TELLS, usualKinds, usualTells } from '../../notices/target.ts';
import { buildFields } from '../form-field.ts';
import { many } from '../form-values.ts';
import type { Problem } from '../problem.ts';

export const KIND_NAMES: Record<TargetKind, string> = {
  WEBHOOK: 'Webhook',
  SLACK: 'Slack',
  TEAMS: 'Microsoft Teams',
};

export const KIND_SENTENCES: Record<TargetKind, string> = {
  WEBHOOK: 'A program of yours gets each event as JSON, signed as Standard Webhooks says.',
  SLACK: 'The address is that of an incoming webhook of a Slack app. It belongs to one channel.',
  TEAMS: 'The address is that of a Workflows flow that posts to a chat or a channel.',
};

const TELLS_NAMES: Record<Target['tells'], string> = {
  ALWAYS: 'All of these events',
  FAILED: 'Only what failed or waits for a review',
};

const listens = many.pipe(TargetInput.shape.listens.unwrap());

export const CreateForm = TargetInput.extend({ listens });

/** An empty address stays as it is. */
export const ChangeForm = TargetChangeInput.omit({ isActive: true }).extend({
  listens,
  url: z
    .string()
    .transform((text) => (text.trim() === '' ? undefined : text))
    .pipe(TargetChangeInput.shape.url),
});

/**
 * The controls of a target.
 * @param target null: a new one of this kind
 * @param problem of the form that was sent
 */
export function targetFields(kind: TargetKind, target: Target | null, problem: Problem | null) {
  const chosen = problem?.sent?.flatMap(([name, value]) => (name === 'listens' ? [value] : []));
  const listening = chosen ?? target?.listens ?? usualKinds(kind);
  const fields = buildFields(
    {
      name: {
        label: 'Name',
        required: true,
        value: target?.name ?? null,
        attributes: { maxlength: TARGET_NAME_MAX_LENGTH, autocomplete: 'off' },
      },
      url: {
        label: target === null ? 'Address' : 'New address',
        type: 'url',
        required: target === null,
        note:
          target === null
            ? 'It is encrypted, and never shown again.'
            : `Leave it empty to keep the one at ${target.host}.`,
        attributes: { maxlength: TARGET_URL_MAX_LENGTH, autocomplete: 'off', spellcheck: 'false' },
      },
      tells: {
        label: 'Tell of',
        type: 'select',
        value: target?.tells ?? usualTells(kind),
        options: TELLS.map((value) => ({ value, label: TELLS_NAMES[value] })),
      },
    },
    problem,
  );
  return {
    fields,
    events: TOLD_KINDS.map((value) => ({ value, label: nameKind(value), checked: listening.includes(value) })),
    eventsProblem: problem?.fields['listens'] ?? null,
  };
}
