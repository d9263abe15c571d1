import { STYLE_NAMES } from '../../elements/element-styles.ts';
import { encodeElementMap } from '../../elements/encode-element-map.ts';
import type { CaptureRequest } from '../browser/browser.ts';
import { buildElementMap } from './build-element-map.ts';
import { mapAsOnSite } from './map-as-on-site.ts';
import type { OpenPage } from '../open-page.ts';
import { restoreFonts } from '../restore-fonts.ts';

/** A page with 40,000 nodes takes 1 s. */
const SNAPSHOT_MS = 20_000;

/** The elements of the page of which this screenshot was just taken, encoded. */
export async function takeElementMap(
  open: OpenPage,
  { viewport, preview }: CaptureRequest,
  screenshot: { width: number; height: number },
): Promise<Buffer> {
  // Otherwise the boxes would be those of a layout with other fonts.
  await restoreFonts(open);
  const taking = open.cdp.send('DOMSnapshot.captureSnapshot', { computedStyles: [...STYLE_NAMES] });
  const late = 'The elements of the page could not be read in time';
  const snapshot = await open.guard.within(taking, SNAPSHOT_MS, late);
  const map = buildElementMap(snapshot, screenshot, viewport.deviceScaleFactor);
  return encodeElementMap(mapAsOnSite(map, preview));
}
