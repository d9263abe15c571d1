import type { ElementMap, MappedElement } from '../../elements/element-map.ts';
import { collectStyles, type ElementStyles } from '../../elements/element-styles.ts';
import { replaceAddresses } from '../../elements/picture.ts';
import { addressOnSite } from '../../net/site-base.ts';
import type { CaptureRequest } from '../browser/capture-request.ts';

/**
 * The map with the addresses of the site's own files in place of the preview's, so that a logo does not count as
 * another picture just because the preview has another address.
 */
export function mapAsOnSite(map: ElementMap, preview: CaptureRequest['preview']): ElementMap {
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
  const fonts = map.fonts && Object.entries(map.fonts).map(([url, hash]) => [onSite(url), hash]);
  return {
    elements: map.elements.map(moveElement),
    generated: map.generated && map.generated.map(moveElement),
    fonts: fonts && Object.fromEntries(fonts),
  };
}
