/**
 * A result that is shown again, because it was judged anew or the page was reloaded, keeps its place and scale.
 */
import { keptScale, scaleFirst } from './comparison-zoom.js';
import { findAll } from './elements.js';

const KEY = 'pixelgate-view';

/** @typedef {{ result: string, scale: number | null, top: number, left: number }} View */

/** @returns {View | null} */
function readView() {
  const main = document.getElementById('review-main');
  const stage = main?.querySelector('[data-stage]');
  const { result } = main?.dataset ?? {};
  if (!stage || result === undefined) return null;
  const lefts = findAll(stage, '[data-pane]', HTMLElement).map((pane) => pane.scrollLeft);
  return { result, scale: keptScale(), top: stage.scrollTop, left: Math.max(0, ...lefts) };
}

/** Remembers how the open result is seen. */
export function saveView() {
  const view = readView();
  if (view !== null) sessionStorage.setItem(KEY, JSON.stringify(view));
}

/** The scale with which the open result was seen last; before its comparison starts. */
export function restoreScale() {
  const view = savedView();
  if (view !== null) scaleFirst(view.scale);
}

/** Scrolls to where the open result was seen last. */
export function restoreScroll() {
  const view = savedView();
  const stage = document.querySelector('#review-main [data-stage]');
  if (view === null || stage === null) return;
  stage.scrollTop = view.top;
  for (const pane of stage.querySelectorAll('[data-pane]')) pane.scrollLeft = view.left;
}

/** @returns {View | null} of the result that is open */
function savedView() {
  const saved = sessionStorage.getItem(KEY);
  if (saved === null) return null;
  /** @type {View} */
  const view = JSON.parse(saved);
  return view.result === document.getElementById('review-main')?.dataset.result ? view : null;
}

// Comparisons start as soon as their module is loaded.
restoreScale();
