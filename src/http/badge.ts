import { Router, type RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { readPublicState, type SiteState } from '../runs/site-state.ts';
import { sha256Of } from '../text/sha256.ts';
import { isKnown } from './byte-range.ts';
import { allowOnly } from './serve-endpoints.ts';

/** White text on each of them has a contrast of at least 4.5. */
const COLORS: Record<SiteState, string> = {
  passing: '#1a7f37',
  'review required': '#9a6700',
  failing: '#cf222e',
  running: '#0969da',
  unknown: '#57606a',
};

const NAME = 'Pixelgate';
/** px of a character on average. `textLength` fits the text into it, whatever font there is. */
const CHARACTER = 6.6;
const PADDING = 6;

const widthOf = (text: string) => Math.round(text.length * CHARACTER);

/** Only words of ours are in it, so there is nothing to escape, and no font is loaded. */
function drawBadge(state: SiteState): string {
  const [name, says] = [widthOf(NAME), widthOf(state)];
  const left = name + 2 * PADDING;
  const width = left + says + 2 * PADDING;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${NAME}: ${state}">
<title>${NAME}: ${state}</title>
<clipPath id="corners"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#corners)"><rect width="${left}" height="20" fill="#24292f"/><rect x="${left}" width="${width - left}" height="20" fill="${COLORS[state]}"/></g>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11"><text x="${PADDING}" y="14" textLength="${name}">${NAME}</text><text x="${left + PADDING}" y="14" textLength="${says}">${state}</text></g>
</svg>
`;
}

/** Image proxies keep it for this long, and ask with its tag afterwards. */
const MAX_AGE_SECONDS = 60;

function show(ctx: Pick<Context, 'db'>): RequestHandler {
  return async (req, res) => {
    res.locals.route = '/suites/:id/badge.svg';
    const id = z.guid().safeParse(req.params['id']).data;
    const state = id === undefined ? null : await readPublicState(ctx, id);
    if (state === null) throw notFound('Suite');
    const image = drawBadge(state);
    const etag = `"${sha256Of(image).slice(0, 16)}"`;
    res.set({
      ETag: etag,
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      // READMEs on any site show it.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    if (isKnown(req.get('if-none-match'), etag)) res.status(304).end();
    else res.type('image/svg+xml').send(image);
  };
}

/**
 * GET and HEAD /suites/:id/badge.svg, for anyone, of suites that say so. Others don't exist here. It reads and sets no
 * cookie.
 */
export function badgeRouter(ctx: Pick<Context, 'db'>): Router {
  const router = Router();
  router
    .route('/suites/:id/badge.svg')
    .get(show(ctx))
    .all(allowOnly(['get']));
  return router;
}
