import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { requireJwtSecret } from '../../src/auth/jwt-secret.ts';
import type { Context } from '../../src/context.ts';
import { thumbnailUrl } from '../../src/http/image-url.ts';
import { createThumbnails } from '../../src/http/thumbnails.ts';
import { END_OF_RUNS } from '../../src/pull-requests/check/run-check.ts';
import { cropName, imageName, suitePrefix, thumbnailName, tileName } from '../../src/storage/object-name.ts';
import { signObject } from '../../src/storage/signed-address.ts';
import { createSuite, removeSuiteObjects } from '../../src/suites/suite-life.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import { blankImage, toPng } from '../compare/random-images.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { deleteSuite } from '../support/requests.ts';
import { paint, reviewRun, suiteOf } from '../web/review-fixture.ts';

const PNG = toPng(blankImage(400, 3000, [10, 120, 200, 255]));

/** A context whose storage counts full reads and writes of each object. */
function counting(ctx: Context): { ctx: Context; reads: string[]; writes: string[] } {
  const reads: string[] = [];
  const writes: string[] = [];
  const storage: Context['storage'] = {
    ...ctx.storage,
    async get(name) {
      reads.push(name);
      return ctx.storage.get(name);
    },
    async put(name, bytes) {
      writes.push(name);
      return ctx.storage.put(name, bytes);
    },
  };
  return { ctx: { ...ctx, storage }, reads, writes };
}

let api: TestApi;
let owner: Account;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
});
afterAll(async () => {
  await api.stop();
});

async function storedImage(png = PNG) {
  const suite = await createSuite(api.ctx, owner.user, { name: 'Site', baseUrl: 'http://127.0.0.1:9' });
  const name = imageName(suite.id, sha256Of(png));
  await api.ctx.storage.put(name, png);
  return { suite, name, path: `/files/${name}` };
}

const fetchFile = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(api.url + path, { method, headers: { authorization: `Bearer ${owner.token}`, ...headers } });

async function listed(suite: { id: string }): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of api.ctx.storage.list(suitePrefix(suite.id))) names.push(name);
  return names;
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a thumbnail', () => {
  it.each([96, 192, 384])('is the top of the image, %i px wide, to be kept for good', async (width) => {
    const { path } = await storedImage();
    const response = await fetchFile(`${path}?width=${width}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      etag: `"${sha256Of(PNG)}.w${width}"`,
      'x-content-type-options': 'nosniff',
    });
    const bytes = await bytesOf(response);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height: width * 1.5 });
  });

  it('of a slimmer image is as wide as the image', async () => {
    const { path } = await storedImage();
    const bytes = await bytesOf(await fetchFile(`${path}?width=768`));
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 400, height: 600 });
  });

  it('is not sent again to who has it, and not taken for the image', async () => {
    const { path } = await storedImage();
    const known = { 'if-none-match': `"${sha256Of(PNG)}.w96"` };
    expect((await fetchFile(`${path}?width=96`, known)).status).toBe(304);
    expect((await fetchFile(`${path}?width=192`, known)).status).toBe(200);
    expect((await fetchFile(path, known)).status).toBe(200);
  });

  it('is told of without its bytes', async () => {
    const { path } = await storedImage();
    const response = await fetchFile(`${path}?width=96`, {}, 'HEAD');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
  });

  it.each(['95', '0', '-96', '96.0', '096', '', 'large', '1e2', '96&width=96', '96&width=192'])(
    'of the width %j is refused',
    async (width) => {
      const { path, name } = await storedImage();
      const answer = await api.request('GET', `${path}?width=${width}`, { token: owner.token });
      expect(answer).toMatchObject({
        status: 400,
        body: { details: { issues: [{ path: 'width', message: 'must be one of 96, 192, 384, 768' }] } },
      });
      expect(await api.ctx.storage.stat(thumbnailName(name, 96))).toBeNull();
    },
  );

  it('of an image that was never stored is not there', async () => {
    const { path } = await storedImage();
    const missing = path.replace(/[0-9a-f]{64}/, '0'.repeat(64));
    expect((await api.request('GET', `${missing}?width=96`, { token: owner.token })).status).toBe(404);
  });

  it('has no address of its own', async () => {
    const { path, name } = await storedImage();
    await fetchFile(`${path}?width=96`);
    const own = `/files/${thumbnailName(name, 96)}`;
    for (const address of [own, `${own}?width=96`]) {
      expect((await api.request('GET', address, { token: owner.token })).status).toBe(404);
    }
  });

  it("has an address on the service, also where images are on a CDN's", async () => {
    const config = { publicUrl: 'https://gate.test', cdnBaseUrl: 'https://cdn.test' };
    expect(thumbnailUrl(config, 'suites/s/p.png', 192)).toBe('https://gate.test/files/suites/s/p.png?width=192');
  });
});

describe('a tile', () => {
  const sizeOf = async (path: string) => {
    const { width, height } = await sharp(await bytesOf(await fetchFile(path))).metadata();
    return { width, height };
  };

  it('has some rows of the image as they are, to be kept for good', async () => {
    const png = await paint({ width: 400, height: 3000 }, [{ x: 20, y: 2040 }]);
    const { path } = await storedImage(png);
    const response = await fetchFile(`${path}?tile=1`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      etag: `"${sha256Of(png)}.t1"`,
    });
    const rows = sharp(png).extract({ left: 0, top: 1024, width: 400, height: 1032 });
    const drawn = await sharp(await bytesOf(response))
      .removeAlpha()
      .raw()
      .toBuffer();
    expect(drawn.equals(await rows.removeAlpha().raw().toBuffer())).toBe(true);
  });

  it('ends with the image, and can be scaled', async () => {
    const { path } = await storedImage();
    expect(await sizeOf(`${path}?tile=2`)).toEqual({ width: 400, height: 952 });
    expect(await sizeOf(`${path}?tile=2&width=384`)).toEqual({ width: 384, height: 914 });
  });

  it.each([
    ['tile=-1', 400],
    ['tile=01', 400],
    ['tile=1.5', 400],
    ['tile=', 400],
    ['tile=0&tile=1', 400],
    ['tile=0&width=768', 400],
    ['tile=0&width=385', 400],
    ['tile=3', 404],
    ['tile=99999', 404],
    ['tile=0&width=640', 404],
  ])('is not made for %s', async (query, status) => {
    const { suite, path } = await storedImage();
    expect((await fetchFile(`${path}?${query}`)).status).toBe(status);
    expect(await listed(suite)).toHaveLength(1);
  });

  it('needs the right to see the suite', async () => {
    const { path } = await storedImage();
    const other = await api.account();
    expect((await fetch(`${api.url}${path}?tile=0`)).status).toBe(401);
    expect((await api.request('GET', `${path}?tile=0`, { token: other.token })).status).toBe(404);
  });

  it('is made once, with those that will be asked for with it', async () => {
    const { suite, name } = await storedImage();
    const { ctx, reads, writes } = counting(api.ctx);
    const getThumbnail = createThumbnails(ctx);
    const wanted = [0, 1, 2].map((tile) => getThumbnail(name, { tile, scaledTo: 384 }));
    await expect(getThumbnail(name, { tile: 3, scaledTo: 384 })).rejects.toMatchObject({ kind: 'not_found' });
    await Promise.all(wanted);
    expect([reads.length, writes.toSorted()]).toEqual([1, [0, 1, 2].map((tile) => tileName(name, tile, 384))]);
    await removeSuiteObjects(api.ctx, { suiteId: suite.id });
    expect(await listed(suite)).toEqual([]);
  });
});

describe('the thumbnail of a result', () => {
  const SIZE = { width: 1280, height: 3000 };

  it('shows the first change, wherever that is now', async () => {
    const suite = await suiteOf(api, owner.user, ['/']);
    const current = await paint(SIZE, [{ x: 700, y: 2000 }]);
    const run = await reviewRun(api, suite, { '/': { baseline: await paint(SIZE), current } });
    const path = `/files/${imageName(suite.id, sha256Of(current))}?result=${run.results['/']}`;
    const response = await fetchFile(path);
    expect(response.headers.get('cache-control')).toBe('private, max-age=60');
    const { data, info } = await sharp(await bytesOf(response))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([384, 294]);
    const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
    const [red = 0, green = 0] = data.subarray(middle);
    expect([red > 180, green < 80]).toEqual([true, true]);
    await api.ctx.db('page_results').where({ test_run_id: run.id }).update({ diff_regions: null });
    expect(await sharp(await bytesOf(await fetchFile(path))).metadata()).toMatchObject({ width: 384, height: 576 });
    const stranger = await api.account('stranger');
    expect((await api.request('GET', path, { token: stranger.token })).status).toBe(404);
  });

  it('is the top of its image for any other result', async () => {
    const { path } = await storedImage();
    for (const other of ['x', '00000000-0000-4000-8000-000000000000']) {
      const bytes = await bytesOf(await fetchFile(`${path}?result=${other}`));
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 384, height: 576 });
    }
  });
});

describe('a thumbnail is shown only to', () => {
  it('those who may read the suite', async () => {
    const { path } = await storedImage();
    const stranger = await api.account('stranger');
    expect((await api.request('GET', `${path}?width=96`)).status).toBe(401);
    expect((await api.request('GET', `${path}?width=96`, { token: stranger.token })).status).toBe(404);
    expect((await api.request('GET', `${path}?width=95`, { token: stranger.token })).status).toBe(404);
  });
});

describe('a part of an image, for the check of a pull request', () => {
  const BOX = { x: 10, y: 2000, width: 50, height: 20 };
  const now = () => Math.floor(api.ctx.clock.now().getTime() / 1000);
  const sign = (of: string, expires: number, secret = requireJwtSecret(api.ctx.config)) =>
    `?expires=${expires}&signature=${signObject(secret, of, expires)}`;
  const ask = async (address: string, on = api) => fetch(`${on.url}/files/${address}`, { redirect: 'manual' });

  it('is shown to whoever holds an address that was signed for it, while it lasts', async () => {
    const { name } = await storedImage();
    const crop = cropName(name, BOX);
    const response = await ask(crop + sign(crop, now() + 1000));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': expect.stringMatching(/^public, max-age=(1000|99\d), immutable$/),
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await sharp(await bytesOf(response)).metadata()).toMatchObject({ format: 'webp', width: 320, height: 96 });
    expect((await ask(crop + sign(crop, now() - 1))).status).toBe(401);
  });

  it('is all that its address gives', async () => {
    const { name } = await storedImage();
    const crop = cropName(name, BOX);
    const other = cropName(name, { ...BOX, width: 51 });
    const signed = sign(crop, now() + 60);
    const refused = [other + signed, name + signed, `${name}${signed}&width=96`, crop, `${crop}?expires=x&signature=x`];
    for (const address of refused) expect([address, (await ask(address)).status]).toEqual([address, 401]);
    const wider = await ask(`${crop}${signed}&width=768&change=x`);
    expect(await sharp(await bytesOf(wider)).metadata()).toMatchObject({ width: 320, height: 96 });
    for (const outside of [thumbnailName(name, 96), 'suites/x.k1-1-1-1.webp', 'x..k1-1-1-1.webp']) {
      expect((await ask(outside + sign(outside, now() + 60))).status).toBe(401);
    }
  });

  it('stays at its address while the secret is changed, and no longer', async () => {
    const before = requireJwtSecret(api.ctx.config);
    const rotated = async (previousJwtSecret: string | null) =>
      startTestApi({}, (ctx) => ({ ...ctx, config: { ...ctx.config, jwtSecret: 'n'.repeat(32), previousJwtSecret } }));
    const [during, after] = [await rotated(before), await rotated(null)];
    try {
      const person = await during.account();
      const suite = await createSuite(during.ctx, person.user, { name: 'Site', baseUrl: 'http://127.0.0.1:9' });
      const name = imageName(suite.id, sha256Of(PNG));
      await during.ctx.storage.put(name, PNG);
      const address = cropName(name, BOX) + sign(cropName(name, BOX), now() + 60, before);
      expect([(await ask(address, during)).status, (await ask(address, after)).status]).toEqual([200, 401]);
    } finally {
      await during.stop();
      await after.stop();
    }
  });
});

describe('making thumbnails', () => {
  it('is done once, and what was made is read from then on, by every process', async () => {
    const { name } = await storedImage();
    const { ctx, reads, writes } = counting(api.ctx);
    const first = await createThumbnails(ctx)(name, { width: 96 });
    const again = await createThumbnails(ctx)(name, { width: 96 });
    expect(again).toEqual(first);
    expect(await api.ctx.storage.stat(first.name)).toEqual({ size: first.size });
    expect([reads, writes]).toEqual([[name], [first.name]]);
  });

  it('is done once for all who ask at the same moment', async () => {
    const { name } = await storedImage();
    const { ctx, reads, writes } = counting(api.ctx);
    const thumbnailOf = createThumbnails(ctx);
    const found = await Promise.all(Array.from({ length: 20 }, () => thumbnailOf(name, { width: 192 })));
    expect(new Set(found.map((each) => each.name)).size).toBe(1);
    expect([reads, writes]).toEqual([[name], [thumbnailName(name, 192)]]);
  });

  it('is tried again after it failed, and its failure keeps nobody waiting', async () => {
    const { name } = await storedImage();
    let left = 3;
    const get: Context['storage']['get'] = async (object) => {
      left -= 1;
      if (left >= 0) throw new Error('the storage is away');
      return api.ctx.storage.get(object);
    };
    const thumbnailOf = createThumbnails({ ...api.ctx, storage: { ...api.ctx.storage, get } });
    const widths = [96, 192, 384] as const;
    const failed = await Promise.allSettled(widths.map((width) => thumbnailOf(name, { width })));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await Promise.all(widths.map((width) => thumbnailOf(name, { width })))).toHaveLength(3);
  });

  it('is done two at once, however many images are asked for', async () => {
    const images = await Promise.all(Array.from({ length: 6 }, () => storedImage()));
    let [now, most] = [0, 0];
    const get: Context['storage']['get'] = async (name) => {
      now += 1;
      most = Math.max(most, now);
      return api.ctx.storage.get(name);
    };
    const put: Context['storage']['put'] = async (name, bytes) => {
      now -= 1;
      return api.ctx.storage.put(name, bytes);
    };
    const thumbnailOf = createThumbnails({ ...api.ctx, storage: { ...api.ctx.storage, get, put } });
    await Promise.all(images.map(({ name }) => thumbnailOf(name, { width: 96 })));
    expect([now, most]).toEqual([0, 2]);
  });

  it('fails for an image that is damaged, with nothing told of it', async () => {
    const { path } = await storedImage(Buffer.from('not an image'));
    const answer = await api.request('GET', `${path}?width=96`, { token: owner.token });
    expect(answer).toMatchObject({ status: 500, body: { details: { code: 'internal' } } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('deleting a suite', () => {
  it('removes its thumbnails with its images', async () => {
    const { suite, name } = await storedImage();
    const thumbnail = await createThumbnails(api.ctx)(name, { width: 96 });
    await deleteSuite(api.ctx, owner.user, suite.id, END_OF_RUNS);
    await removeSuiteObjects(api.ctx, { suiteId: suite.id });
    expect([await api.ctx.storage.stat(name), await api.ctx.storage.stat(thumbnail.name)]).toEqual([null, null]);
  });

  it('leaves no thumbnail that was being made meanwhile', async () => {
    const { suite, name } = await storedImage();
    const put: Context['storage']['put'] = async (object, bytes) => {
      await deleteSuite(api.ctx, owner.user, suite.id, END_OF_RUNS);
      await removeSuiteObjects(api.ctx, { suiteId: suite.id });
      await api.ctx.storage.put(object, bytes);
    };
    const thumbnailOf = createThumbnails({ ...api.ctx, storage: { ...api.ctx.storage, put } });
    await expect(thumbnailOf(name, { width: 96 })).rejects.toMatchObject({ kind: 'not_found' });
    expect(await api.ctx.storage.stat(thumbnailName(name, 96))).toBeNull();
  });
});
