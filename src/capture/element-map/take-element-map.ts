import type { ElementMap, MappedElement } from '../../elements/element-map.ts';
import { collectStyles, type ElementStyles } from '../../elements/element-styles.ts';
import { encodeElementMap } from '../../elements/encode-element-map.ts';
import { hashPicture, PIXELS, replaceAddresses } from '../../elements/picture.ts';
import { addressOnSite } from '../../net/site-base.ts';
import { decodePart } from '../../png/codec.ts';
import type { CaptureRequest } from '../browser/capture-request.ts';
import type { OpenPage } from '../open-page.ts';
import type { Screenshot } from '../take-screenshot.ts';
import { buildElementMap } from './build-element-map.ts';
import { SNAPSHOT_STYLES } from './dom-snapshot.ts';
import { OPAQUE } from './picture-of.ts';
import { readInPage } from './read-in-page.ts';

/** A page with 40,000 nodes takes 1 s. */
const SNAPSHOT_MS = 20_000;

/** Maximum number of areas that are read from the screenshot, each from its top. */
const MAX_AREAS = 20;

/** Content that no script can read is identified by its pixels, without the edge, which may be blended. */
async function readPixels(elements: MappedElement[], { png }: Screenshot): Promise<void> {
  const unknown = elements.filter(({ tag, picture }) => picture === null && OPAQUE.has(tag));
  for (const element of unknown.slice(0, MAX_AREAS)) {
    const [x, y, width, height] = element.box;
    const [left, top] = [Math.ceil(x) + 1, Math.ceil(y) + 1];
    const [right, bottom] = [Math.floor(x + width) - 1, Math.floor(y + height) - 1];
    if (right <= left || bottom <= top) continue;
    const pixels = await decodePart(png, { x: left, y: top, width: right - left, height: bottom - top }, 'current');
    element.picture = PIXELS + hashPicture(pixels);
  }
}

/**
 * The map with the addresses of the site's own files in place of the preview's, so that a logo does not count as
 * another picture just because the preview has another address.
 */
function mapAsOnSite(map: ElementMap, preview: CaptureRequest['preview']): ElementMap {
  if (preview === null) return map;
  const { base, site } = preview;
  const onSite = (address: string) => addressOnSite(base, site, address);
  const moved = new Map<ElementStyles, ElementStyles>();
  const moveStyles = (styles: ElementStyles) => {
    const known = moved.get(styles) ?? collectStyles((name) => replaceAddresses(styles[name], onSite));
    moved.set(styles, known);
    return known;
  };
  const moveElement = ({ attributes, styles, ...element }: MappedElement): MappedElement => ({
    ...element,
    attributes: {
      ...attributes,
      ...(attributes.href === undefined ? {} : { href: onSite(attributes.href) }),
      ...(attributes.src === undefined ? {} : { src: onSite(attributes.src) }),
    },
    styles: moveStyles(styles),
  });
  const fonts = Object.entries(map.fonts).map(([url, hash]) => [onSite(url), hash]);
  return {
    elements: map.elements.map(moveElement),
    generated: map.generated.map(moveElement),
    fonts: Object.fromEntries(fonts),
  };
}

/** The elements of the page of which this screenshot was just taken, encoded. */
export async function takeElementMap(
  open: OpenPage,
  { viewport, preview }: CaptureRequest,
  screenshot: Screenshot,
): Promise<Buffer> {
  const taking = Promise.all([
    open.cdp.send('DOMSnapshot.captureSnapshot', { computedStyles: SNAPSHOT_STYLES }),
    open.cdp.send('Page.getLayoutMetrics'),
  ]);
  const late = 'The elements of the page could not be read in time';
  const [snapshot, { cssLayoutViewport }] = await open.guard.within(taking, SNAPSHOT_MS, late);
  const reading = await readInPage(open);
  const pictures = await open.guard.race(open.pictures.read());
  const map = buildElementMap(
    { snapshot, reading, pictures, left: cssLayoutViewport.pageX },
    screenshot,
    viewport.deviceScaleFactor,
  );
  await readPixels(map.elements, screenshot);
  return encodeElementMap(mapAsOnSite(map, preview));
}
