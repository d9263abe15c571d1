import pLimit from 'p-limit';
import type { Page, Request } from 'playwright';
import { settlesWithin } from '../../async/time-limit.ts';
import { FAILED, hashPicture } from '../../elements/picture.ts';

/** Hashes by address. `FAILED` if it did not load, or is of another type. */
export type PictureHashes = { images: Map<string, string>; fonts: Map<string, string> };

/** The images and fonts that the page and its frames have loaded. */
export type Pictures = {
  /** Responses that can't be read in time are left out. */
  read(): Promise<PictureHashes>;
  /** The text of the first SVG images, by address. Those that can't be read in time are left out. */
  readSvgs(most: number): Promise<Map<string, string>>;
  /** Another page follows. */
  restart(): void;
};

const READ_MS = 5000;
const AT_ONCE = 8;

/** Types that servers return instead of an image, sometimes with status 200. */
const NO_PICTURE = /^(?:text\/html|application\/(?:json|problem))/i;

function endOf(request: Request): Request {
  const next = request.redirectedTo();
  return next === null ? request : endOf(next);
}

async function hashOf(request: Request): Promise<string | null> {
  const response = endOf(request).existingResponse();
  if (response === null || request.failure() !== null) return FAILED;
  const type = response.headers()['content-type'] ?? '';
  if (NO_PICTURE.test(type) || (response.status() >= 400 && !type.startsWith('image/'))) return FAILED;
  // The browser may have dropped large ones.
  const body = await response.body().catch(() => null);
  return body === null ? null : hashPicture(body);
}

function isSvg(request: Request): boolean {
  const headers = endOf(request).existingResponse()?.headers();
  return headers?.['content-type']?.startsWith('image/svg+xml') ?? false;
}

async function textOf(request: Request): Promise<string | null> {
  const body = await endOf(request)
    .existingResponse()
    ?.body()
    .catch(() => null);
  return body?.toString() ?? null;
}

export function watchPictures(page: Page): Pictures {
  const ended = { image: new Map<string, Request>(), font: new Map<string, Request>() };
  const note = (request: Request) => {
    const kind = request.resourceType();
    if (kind === 'image' || kind === 'font') ended[kind].set(request.url(), request);
  };
  page.on('requestfinished', note);
  page.on('requestfailed', note);
  const limit = pLimit(AT_ONCE);
  const readAll = async (requests: Iterable<[string, Request]>, read: (request: Request) => Promise<string | null>) => {
    const found = new Map<string, string>();
    const reading = [...requests].map(async ([url, request]) => {
      const text = await limit(async () => read(request));
      if (text !== null) found.set(url, text);
    });
    await settlesWithin(READ_MS, Promise.all(reading));
    return new Map(found);
  };
  return {
    async read() {
      const [images, fonts] = await Promise.all([readAll(ended.image, hashOf), readAll(ended.font, hashOf)]);
      return { images, fonts };
    },
    async readSvgs(most) {
      const svgs = [...ended.image].filter(([, request]) => isSvg(request));
      return readAll(svgs.slice(0, most), textOf);
    },
    restart() {
      ended.image.clear();
      ended.font.clear();
    },
  };
}
