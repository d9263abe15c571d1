import { z } from 'zod';
import { cropImage } from '../compare/shrink-image.ts';
import type { Context } from '../context.ts';
import { errorMessage } from '../errors.ts';
import type { FetchRequest } from '../net/network.ts';
import { listChanges } from '../review/changes/list-changes.ts';
import { formatCount } from '../text/format.ts';
import { VERSION } from '../version.ts';
import { escapeForSlack } from './channel-messages.ts';
import type { Message } from './message.ts';
import type { TargetSecrets } from './target.ts';

type PicturesContext = Pick<Context, 'db' | 'network' | 'storage'>;

const API = 'https://slack.com/api';
const TIMEOUT_MS = 15_000;
const ANSWER_BYTES = 16_384;

/** How many are uploaded, and of how many changes the largest are chosen. */
const MOST = 3;
const CHANGES = 50;

type Picture = { title: string; webp: Buffer };

/** What the largest changes of a run look like now; before, if they are gone. */
async function readPictures({ db, storage }: PicturesContext, runId: string): Promise<Picture[]> {
  const { groups } = await listChanges({ db }, { id: runId }, { limit: CHANGES }, 0);
  const crops = groups.flatMap(({ summary, afterCrop, beforeCrop }) => {
    const crop = afterCrop ?? beforeCrop;
    return crop === null ? [] : [{ title: summary, ...crop }];
  });
  const largest = crops
    .toSorted((one, other) => other.box.width * other.box.height - one.box.width * one.box.height)
    .slice(0, MOST);
  const pictures = largest.map(async ({ title, file, box }) => {
    const png = await storage.get(file);
    return png === null ? [] : [{ title, webp: await cropImage(png, box) }];
  });
  return (await Promise.all(pictures)).flat();
}

const Answer = z.object({ ok: z.boolean(), error: z.string().optional() });
const Place = Answer.extend({ upload_url: z.url(), file_id: z.string() });

/** @throws Error when Slack refuses, with its reason; FetchError */
async function ask(
  { network }: PicturesContext,
  { headers, ...request }: Pick<FetchRequest, 'url' | 'form' | 'body' | 'headers'>,
): Promise<string> {
  const { status, body } = await network.fetch({
    ...request,
    userAgent: `Pixelgate/${VERSION}`,
    timeout: TIMEOUT_MS,
    maxBytes: ANSWER_BYTES,
    headers: { accept: '*/*', ...headers },
  });
  if (status !== 200) throw new Error(`Slack answered ${status}`);
  return body.toString('utf8');
}

async function call(ctx: PicturesContext, token: string, method: string, form: Record<string, string>) {
  const text = await ask(ctx, { url: `${API}/${method}`, form, headers: { authorization: `Bearer ${token}` } });
  const answer: unknown = JSON.parse(text);
  const { ok, error } = Answer.parse(answer);
  if (!ok) throw new Error(`Slack refused: ${error ?? 'no reason'}`);
  return answer;
}

async function upload(ctx: PicturesContext, token: string, { title, webp }: Picture) {
  const place = await call(ctx, token, 'files.getUploadURLExternal', {
    filename: 'change.webp',
    length: String(webp.length),
  });
  const { upload_url: url, file_id: id } = Place.parse(place);
  await ask(ctx, { url, body: webp, headers: { 'content-type': 'image/webp' } });
  return { id, title };
}

/**
 * Uploads pictures of the largest changes in a message to the channel: a webhook can't show private ones.
 * The message has arrived by then, so that a failure is told, and not tried again.
 * @returns what came of it, for people. Null: there is nothing to upload.
 */
export async function uploadPictures(
  ctx: PicturesContext,
  { bot }: TargetSecrets,
  { data: { run, causes } }: Message,
): Promise<string | null> {
  if (bot === undefined || run === null || causes.length === 0) return null;
  try {
    const pictures = await readPictures(ctx, run.id);
    if (pictures.length === 0) return null;
    const files = await Promise.all(pictures.map(async (picture) => upload(ctx, bot.token, picture)));
    await call(ctx, bot.token, 'files.completeUploadExternal', {
      files: JSON.stringify(files),
      channel_id: bot.channel,
      initial_comment: escapeForSlack(`The largest changes of ${run.name}`),
    });
    return `${formatCount(files.length, 'picture')} uploaded`;
  } catch (error) {
    return `No pictures were uploaded. ${errorMessage(error)}`;
  }
}
