import { z } from 'zod';
import { nextFrame, settlesWithin, shownElements } from './freeze-script.ts';

/*
 * Holds video and audio. Functions are passed as source text: each may only use what PARTS in `page-script.ts` lists.
 */

/** What only the protocol can hold still. */
export const Moving = z.object({
  marquees: z.number(),
  /** Videos that show a ring that turns without end. */
  rings: z.number(),
});
export type Moving = z.infer<typeof Moving>;

/**
 * Resolves when the first frame of a video is drawn, which may be long after it is loaded on a busy machine. Far from
 * the viewport it may not be drawn at all.
 */
export async function drawFirstFrame(video: HTMLVideoElement): Promise<void> {
  const FIRST_FRAME_S = 0.1;
  return new Promise((resolve) => {
    const check: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      if (mediaTime < FIRST_FRAME_S) resolve();
      else video.requestVideoFrameCallback(check);
    };
    video.requestVideoFrameCallback(check);
  });
}

/**
 * While a video loads, a ring turns in its controls, and then to the end of its turn. No script can see or end it, and
 * it begins again if the video is hidden meanwhile.
 */
export async function awaitRing(video: HTMLVideoElement): Promise<void> {
  const TURN_MS = 1333;
  const world: typeof globalThis & { pixelgateRings?: WeakMap<object, string> } = globalThis;
  const ended = (world.pixelgateRings ??= new WeakMap());
  const isShown = video.controls && video.offsetWidth > 0;
  if (!isShown || video.readyState === 0 || ended.get(video) === video.currentSrc) return;
  await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  for (let frame = 0; frame < 2; frame += 1) await nextFrame();
  ended.set(video, video.currentSrc);
}

/**
 * Has the browser lay out the controls of a small video again. It leaves out those that don't fit by the sizes that they
 * happen to have at that moment: by those of the video before it was loaded, now and then. An animation hides the video
 * meanwhile, because an attribute would change the page.
 */
export async function layOutControls(video: HTMLVideoElement): Promise<void> {
  // Of a video that is not loaded, px. All controls fit there.
  const [WIDTH, HEIGHT] = [300, 150];
  const { offsetWidth, offsetHeight } = video;
  if (!video.controls || offsetWidth === 0 || (offsetWidth >= WIDTH && offsetHeight >= HEIGHT)) return;
  const hidden = video.animate({ display: ['none', 'none'] }, { duration: 1, fill: 'both' });
  hidden.pause();
  for (let frame = 0; frame < 2; frame += 1) await nextFrame();
  hidden.cancel();
  for (let frame = 0; frame < 2; frame += 1) await nextFrame();
}

/**
 * Rewinds video and audio. Streams of a camera or a canvas can't be rewound, so they are hidden, with an animation,
 * because an attribute would change the page.
 * @param loads wait for the files that are loading
 */
export async function stillMedia(roots: (Document | ShadowRoot)[], bound: number, loads: boolean): Promise<void> {
  const PART_MS = 1000;
  const media = roots.flatMap((root) => [...root.querySelectorAll<HTMLMediaElement>('video, audio')]);
  const rewind = async (element: HTMLMediaElement) => {
    if (!element.paused) element.pause();
    if (element.getAttribute('loading') === 'lazy') {
      element.setAttribute('loading', 'eager');
      // It does not begin to load at once.
      await nextFrame();
    }
    if (element.srcObject !== null) {
      const hidden = element.animate({ visibility: ['hidden', 'hidden'] }, { duration: 1, fill: 'both' });
      hidden.pause();
      return;
    }
    const until = async (event: string) =>
      new Promise((resolve) => {
        for (const name of [event, 'error', 'abort']) element.addEventListener(name, resolve, { once: true });
      });
    // For a file of unknown length, the controls show a bar once its end has been read.
    const awaitEnd = async () => {
      if (!element.controls || element.duration !== Infinity) return;
      await settlesWithin(until('durationchange'), PART_MS);
    };
    const isLoading = element.networkState === HTMLMediaElement.NETWORK_LOADING && element.readyState < 2;
    const awaitsData = isLoading && element.preload !== 'none';
    if (!awaitsData && element.currentTime === 0) {
      await awaitEnd();
      return;
    }
    const drawn = element instanceof HTMLVideoElement ? drawFirstFrame(element) : Promise.resolve();
    if (awaitsData && loads) await until('loadeddata');
    if (element.readyState < 1) return;
    await awaitEnd();
    if (element.currentTime !== 0) {
      const seeked = until('seeked');
      element.currentTime = 0;
      await seeked;
    }
    await settlesWithin(drawn, PART_MS);
  };
  const still = async (element: HTMLMediaElement) => {
    await rewind(element);
    if (!(element instanceof HTMLVideoElement)) return;
    await awaitRing(element);
    await layOutControls(element);
  };
  if (media.length > 0) await settlesWithin(Promise.allSettled(media.map(still)), bound);
}

/** A video shows the ring of `awaitRing` without end if nothing of its file arrives. */
export function countMoving(roots: (Document | ShadowRoot)[]): Moving {
  const isAwaited = ({ networkState, readyState }: HTMLVideoElement) =>
    networkState === HTMLMediaElement.NETWORK_LOADING && readyState === 0;
  return {
    marquees: shownElements(roots, 'marquee').length,
    rings: shownElements<HTMLVideoElement>(roots, 'video[controls]').filter(isAwaited).length,
  };
}
