/** Loads the tops of the next result's screenshots, once all that is in view is there. */
import { find, findAll, release } from './elements.js';

/** Held until another result is shown, so that the browser keeps them. @type {{ images: HTMLImageElement[] }} */
const ahead = { images: [] };

/** Whether somebody pays for what they load. `connection` is not in every browser. */
function savesData() {
  /** @type {unknown} */
  const connection = 'connection' in navigator ? navigator.connection : null;
  return (
    typeof connection === 'object' && connection !== null && 'saveData' in connection && connection.saveData === true
  );
}

/** @param {HTMLImageElement} image */
function isInView(image) {
  const { top, bottom } = image.getBoundingClientRect();
  return image.checkVisibility({ visibilityProperty: true }) && bottom > 0 && top < innerHeight;
}

/** @param {HTMLElement} comparison */
export async function loadAhead(comparison) {
  release(ahead.images);
  ahead.images = [];
  const template = find(document, 'template[data-ahead]', HTMLTemplateElement);
  if (template === null || savesData()) return;
  const shown = findAll(comparison, 'img', HTMLImageElement).filter(isInView);
  await Promise.allSettled(shown.map(async (image) => image.decode()));
  // Meanwhile, another result may have been opened.
  if (!comparison.isConnected) return;
  const sizes = shown[0]?.sizes;
  ahead.images = findAll(document.importNode(template.content, true), 'img', HTMLImageElement);
  for (const image of ahead.images) {
    if (sizes !== undefined) image.sizes = sizes;
    image.fetchPriority = 'low';
    image.loading = 'eager';
  }
}
