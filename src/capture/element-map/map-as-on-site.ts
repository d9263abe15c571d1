import type { ElementMap } from '../../elements/element-map.ts';
import { addressOnSite } from '../../net/site-base.ts';
import type { CaptureRequest } from '../browser/browser.ts';

/**
 * The map with the addresses of the site's own files in place of the preview's, so that a logo does not count as another
 * picture because the preview is elsewhere.
 */
export function mapAsOnSite({ elements }: ElementMap, preview: CaptureRequest['preview']): ElementMap {
  if (preview === null) return { elements };
  const { base, site } = preview;
  const onSite = (address: string) => addressOnSite(base, site, address);
  return {
    elements: elements.map(({ attributes, styles, ...element }) => ({
      ...element,
      attributes: {
        ...attributes,
        ...(attributes.href === undefined ? {} : { href: onSite(attributes.href) }),
        ...(attributes.src === undefined ? {} : { src: onSite(attributes.src) }),
      },
      styles: {
        ...styles,
        'background-image': styles['background-image'].replace(
          /url\("((?:[^"\\]|\\.)*)"\)/g,
          (_, address: string) => `url("${onSite(address)}")`,
        ),
      },
    })),
  };
}
