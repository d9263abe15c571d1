import { BEAT_PAGES, POPUP_PAGES, WORKER_PAGES } from './beat-pages.js';
import { COMPONENT_PAGES } from './component-pages.js';
import { DRAWN_PAGES } from './drawn-pages.js';
import { FONT_PAGES } from './font-pages.js';
import { FRAME_PAGES } from './frame-pages.js';
import { IMAGE_PAGES, LATE_IMAGE_PAGES } from './image-pages.js';
import { FETCHED_PAGES, PLACED_PAGES, TIMED_PAGES } from './late-pages.js';
import { LOAD_PAGES } from './load-pages.js';
import { ENDING_PAGES, ENDLESS_PAGES, RESTLESS_PAGES } from './moving-pages.js';
import { SCROLL_PAGES } from './scroll-pages.js';
import { SERVED_PAGES } from './served-pages.js';
import { MORE_SET_PAGES, SET_PAGES } from './set-pages.js';
import { STREAM_PAGES } from './stream-pages.js';
import { STYLE_PAGES } from './style-pages.js';

const FIRST = [
  ...TIMED_PAGES,
  ...FETCHED_PAGES,
  ...PLACED_PAGES,
  ...ENDLESS_PAGES,
  ...ENDING_PAGES,
  ...RESTLESS_PAGES,
  ...SET_PAGES,
];

const FURTHER = [
  ...MORE_SET_PAGES,
  ...STREAM_PAGES,
  ...LOAD_PAGES,
  ...FRAME_PAGES,
  ...IMAGE_PAGES,
  ...LATE_IMAGE_PAGES,
  ...DRAWN_PAGES,
  ...STYLE_PAGES,
  ...FONT_PAGES,
  ...SCROLL_PAGES,
  ...COMPONENT_PAGES,
  ...BEAT_PAGES,
  ...POPUP_PAGES,
  ...WORKER_PAGES,
  ...SERVED_PAGES,
];

/** Each of these has shown a fault of its own. */
const TOLD_A_FAULT = new Set([
  'alternates: a server with two layouts in turn',
  'late: a poll that swaps each second beside a number that counts',
  'late: a pop-up after 5000 ms',
  'late: a pop-up after 6000 ms',
  'late: a service worker',
  'late: a shared worker',
  'late: a text track whose cue is shown',
  'late: a worker that fetches',
  'late: a frame that moves on',
  'late: a frame that is lazy and far down',
  'moves: a canvas that is drawn by an interval, without end',
  'moves: a declared closed shadow root with an animation',
  'moves: an SVG image with an endless style',
  'moves: a part of an SVG image with an endless style',
  'moves: an SVG background in its address with an endless style',
  'moves: an animation by script, again and again',
  'moves: an animation that follows the view',
  'moves: many parts that fade in as they come into view',
  'moves: an animation by script with a timeline of its own',
  'moves: stripes in a bar of progress',
  'moves: a hint in a field that fades',
  'moves: details that open slowly',
]);

/** Others show much the same in less time, of these or in `test/capture`. */
const TOLD_BY_OTHERS = new Set([
  'late: a timer of 1,500 ms',
  'late: a timer of 2,500 ms',
  'late: three timers in a row',
  'late: an interval that ends',
  'late: an asynchronous function that sleeps',
  'late: a slow fetch',
  'late: a fetch and a timer',
  'late: a timer and a fetch',
  'late: an XMLHttpRequest',
  'late: a module that is imported',
  'late: an open shadow root',
  'late: a frame',
  'moves on: by script after 1500 ms',
  'moves: a WebP',
  'moves: an SVG background',
  'moves: an animation in an open shadow root',
  'moves: a marquee that goes up and down',
  'moves: a caret',
  'moves: a poll that changes nothing',
  'moves: slides',
  'moves: a progress bar with transitions',
  'moves: a scroller with smooth style',
  'moves: a canvas that counts up',
  'dated: the time as text',
  'dated: the time in words',
  'dated: the time as a number',
  'left to chance: a UUID',
  'late: polling on the date',
  'late: an idle callback',
  'late: an abort signal',
  'late: the end of an animation',
  'late: a splash screen',
  'late: two fetches in a row',
  'late: an image that is added',
  'late: a frame within a frame',
  'moves on: by script after 2600 ms',
  'moves: a GIF as background',
  'moves: an SVG in an object',
  'moves: an endless animation of a pseudo-element',
  'moves: an animation in a frame',
  'moves: a frame loop that changes nothing',
  'moves: text that is typed once',
  'moves: a progress bar that ends',
  'moves: a scroller that is pushed step by step',
  'moves: a mark that is set',
  'moves: a text that blinks',
  'left to chance: an order',
  'dated: the time of a class',
  'late: a timer of 400 ms',
  'late: a countdown',
  'late: a toast that goes',
  'late: a skeleton',
  'late: a worker',
  'late: a background that is added',
  'late: something busy',
  'moves on: by refresh',
  'moves: an SVG image',
  'moves: an endless animation',
  'moves: an animation in a closed shadow root',
  'moves: an animation by script',
  'moves: a number that counts without end',
  'moves: parts that come into view',
  'moves: an element that glides into view',
  'left to chance: a color in a frame',
  'dated: a clock that ticks',
]);

/** One page for each source of motion, lateness or chance. */
export const CORPUS = [...FIRST, ...FURTHER];

/** What `npm run test:all` has time for. */
export const TESTED = [
  ...FIRST.filter(({ name }) => !TOLD_BY_OTHERS.has(name)),
  ...FURTHER.filter(({ name }) => TOLD_A_FAULT.has(name)),
];
