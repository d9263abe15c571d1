import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { NewDelivery } from './delivery-store.ts';
import { EVENT_TABLE } from './event-table.ts';

/** A message from GitHub. */
export type Delivery = { id: string; name: string; payload: unknown };

/** Maximum size of the stored fields of a delivery. GitHub's largest ones need a tenth of it. */
const LONGEST_PAYLOAD = 2 * 1024 * 1024;
const LONGEST_NAME = 300;

const Name = z.string().max(LONGEST_NAME).optional().catch(undefined);

/** Fields that most payloads have. A payload without them is recorded without them. */
const Common = z.object({
  action: Name,
  installation: z.object({ id: z.int() }).optional().catch(undefined),
  repository: z
    .object({
      id: z.int().optional().catch(undefined),
      full_name: z.string().max(LONGEST_NAME),
      default_branch: Name,
      // Seconds since 1970 in some events.
      updated_at: z.iso.datetime({ offset: true }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/**
 * PostgreSQL takes no NUL in text. JSON writes it as `\u0000`, and a backslash before that as another one: escapes are
 * read two characters at a time.
 */
function withoutNul(text: string): string {
  return text.includes('\\u0000')
    ? text.replace(/\\(?:u0000|[^])/g, (escape) => (escape === '\\u0000' ? '\\ufffd' : escape))
    : text;
}

/** @throws AppError invalid, when the body is no JSON object. */
export function parseBody(body: Buffer): object {
  let payload: unknown;
  try {
    payload = JSON.parse(withoutNul(body.toString('utf8')));
  } catch {
    throw new AppError('invalid', 'The body is not valid JSON', { code: 'malformed_json' });
  }
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload;
  throw new AppError('invalid', 'The body is not a JSON object', { code: 'payload_malformed' });
}

/** Any event contains its repository's number and default branch, even if nothing else handles it. */
function aboutRepository(
  repository: z.output<typeof Common>['repository'],
): { subject: string; event: unknown } | null {
  const { id, default_branch: branch } = repository ?? {};
  if (repository === undefined || (id === undefined && branch === undefined)) return null;
  return { subject: `repository/${repository.full_name.toLowerCase()}`, event: null };
}

/**
 * The row in which a delivery is kept until it is handled.
 * @throws AppError invalid, when the payload does not fit its event; payload_too_large.
 */
export function readDelivery({ id, name, payload }: Delivery, receivedAt: Date): NewDelivery {
  const { action, installation, repository } = Common.catch({}).parse(payload);
  const read = EVENT_TABLE.get(name)?.read(payload) ?? aboutRepository(repository);
  const stored =
    read &&
    JSON.stringify({
      event: read.event,
      defaultBranch: repository?.default_branch ?? null,
      toldAt: repository?.updated_at ?? null,
      repositoryId: repository?.id ?? null,
    } satisfies StoredPayload);
  if (stored !== null && stored.length > LONGEST_PAYLOAD) {
    throw new AppError('payload_too_large', 'The event is larger than 2 MiB', { code: 'payload_too_large' });
  }
  return {
    id,
    event: name,
    action: action ?? null,
    installationId: installation?.id ?? null,
    repository: repository?.full_name.toLowerCase() ?? null,
    receivedAt,
    subject: read?.subject ?? null,
    payload: stored,
    polled: false,
  };
}

/** What is stored of an event until it is handled. `event` has the fields of its shape. */
const StoredPayload = z.object({
  event: z.unknown(),
  /** The repository's default branch, and the time of GitHub's message. Null: unknown. */
  defaultBranch: z.string().nullable(),
  toldAt: z.string().nullable(),
  /** GitHub's number of the repository. */
  repositoryId: z.int().nullable(),
});
export type StoredPayload = z.output<typeof StoredPayload>;

export function parseStoredPayload(text: string): StoredPayload {
  return StoredPayload.parse(JSON.parse(text));
}
