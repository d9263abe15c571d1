import type { ImageContent } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Viewer } from '../auth/user.ts';
import { fitImage } from '../compare/shrink-image.ts';
import type { Context } from '../context.ts';
import { createThumbnails, findChange, requireImage } from '../http/thumbnails.ts';

/** Two of them as base64 are 32 KB. */
const MOST_BYTES = 12_000;

/** What an agent sees of a variant: its first picture, before and after. */
const Variants = z.array(
  z.object({
    pictures: z.array(
      z.object({ viewport: z.string(), beforeCrop: z.string().nullable(), afterCrop: z.string().nullable() }),
    ),
  }),
);

export type ReadPictures = (viewer: Viewer, variants: unknown) => Promise<ImageContent[]>;

/** Reads the pictures that an answer names, with the rights that `/files` asks for. */
export function createPictures(ctx: Context): ReadPictures {
  const getThumbnail = createThumbnails(ctx);

  async function read(viewer: Viewer, address: string): Promise<ImageContent[]> {
    const { pathname, searchParams } = new URL(address);
    const name = pathname.slice(pathname.indexOf('/files/') + '/files/'.length);
    await requireImage(ctx, viewer, name);
    const wanted = await findChange(ctx, name, searchParams.get('change') ?? '', false);
    const webp = await ctx.storage.get((await getThumbnail(name, wanted)).name);
    if (webp === null) return [];
    const data = (await fitImage(webp, MOST_BYTES)).toString('base64');
    return [{ type: 'image', mimeType: 'image/webp', data }];
  }

  return async (viewer, variants) => {
    const [picture] = Variants.parse(variants)[0]?.pictures ?? [];
    const addresses = [picture?.beforeCrop, picture?.afterCrop].filter((address) => typeof address === 'string');
    return (await Promise.all(addresses.map((address) => read(viewer, address)))).flat();
  };
}
