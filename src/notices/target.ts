import { z } from 'zod';
import { rowSecrets } from '../auth/jwt-secret.ts';
import type { SelectedRow } from '../db/query.ts';
import { TOLD_KINDS } from '../events/event.ts';
import { versionOf } from '../text/sha256.ts';

export const TARGET_KINDS = ['WEBHOOK', 'SLACK', 'TEAMS'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** What a target is told of: only what failed or waits for somebody, or everything that it listens to. */
export const TELLS = ['FAILED', 'ALWAYS'] as const;

/** How many a suite has at most, and the installation as well. */
export const MOST_TARGETS = 20;
export const TARGET_NAME_MAX_LENGTH = 100;
export const TARGET_URL_MAX_LENGTH = 2000;
export const BOT_TOKEN_MAX_LENGTH = 255;
export const CHANNEL_MAX_LENGTH = 20;

/** People in a channel hear how runs end, not what reviewers do. */
const CHANNEL_KINDS = ['run.completed', 'run.failed', 'crawl.failed', 'schedule.missed'] as const;

/** What a webhook of this kind of target listens to, unless it says otherwise. */
export const usualKinds = (kind: TargetKind): string[] => [...(kind === 'WEBHOOK' ? TOLD_KINDS : CHANNEL_KINDS)];

export const usualTells = (kind: TargetKind): Target['tells'] => (kind === 'WEBHOOK' ? 'ALWAYS' : 'FAILED');

export const TARGET_COLUMNS = [
  'id',
  'test_suite_id',
  'kind',
  'name',
  'host',
  // For Slack: the channel that pictures are uploaded to. Null: none.
  'channel',
  'listens',
  'tells',
  // Why nothing is sent any more.
  'stopped_because',
  // Somebody stopped it, so no message that arrives puts it back in use.
  'switched_off',
  'created_at',
  'updated_at',
] as const;

export type Target = SelectedRow<'targets', typeof TARGET_COLUMNS>;

/** Stands for what people set in a target, as a page shows it. Whoever saves it says which version they have seen. */
export const targetVersion = ({ name, host, channel, listens, tells }: Target): string =>
  versionOf([name, host, channel, listens, tells]);

/**
 * Sealed values. `secret`: for webhooks. `previous`: the old secret, and until when its signature is sent, too. `bot`:
 * for Slack, uploads pictures to a channel.
 */
export const TargetSecrets = z.object({
  url: z.string(),
  secret: z.string().optional(),
  bot: z.object({ token: z.string(), channel: z.string() }).optional(),
  previous: z.object({ secret: z.string(), until: z.string() }).optional(),
});
export type TargetSecrets = z.infer<typeof TargetSecrets>;

export const TARGET_SECRETS = rowSecrets({ table: 'targets', id: 'id', name: 'target' }, TargetSecrets);

/** How long both signatures are sent after the secret was changed. */
export const OVERLAP_HOURS = 24;
