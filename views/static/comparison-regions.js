/** From change to change on one page. */

const SVG_NUMBERS = ['x', 'y', 'width', 'height'];

/** @param {HTMLElement} comparison @param {import('./comparison-zoom.js').Zoom} zoom */
export function startRegions(comparison, zoom) {
  const regions = [...comparison.querySelectorAll('#comparison-regions > rect')].map((rect) =>
    Object.fromEntries(SVG_NUMBERS.map((name) => [name, Number(rect.getAttribute(name))])),
  );
  const count = comparison.querySelector('[data-change-count]');
  let at = -1;

  function outline(region) {
    for (const rect of comparison.querySelectorAll('[data-current-change]')) {
      for (const name of SVG_NUMBERS) rect.setAttribute(name, String(region[name]));
      rect.removeAttribute('hidden');
    }
  }

  comparison.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-change]') : null;
    if (button === null) return;
    const step = Number(button.getAttribute('data-change'));
    at = at === -1 && step < 0 ? regions.length - 1 : (at + step + regions.length) % regions.length;
    count.textContent = `Change ${at + 1} of ${regions.length}`;
    outline(regions[at]);
    zoom.reveal(regions[at]);
  });
}
