import type { CDPSession } from 'playwright';
import { useNodes } from './element-map/reach-closed-roots.ts';
import { callOnNode, evaluateInMainWorld } from './evaluate-in-page.ts';
import type { OpenPage } from './open-page.ts';

/** Identifiers of the animations of marquees that started, and how long one iteration of each takes, ms. */
const started = new WeakMap<CDPSession, Map<string, number>>();

const RESPONSE_MS = 5000;
/** Only the start of an animation is reported. */
const RESTART = `for (const marquee of document.querySelectorAll('marquee')) { marquee.stop(); marquee.start(); }`;
const FRAME_MS = 20;
const START_TRIES = 100;
const HOLD_TRIES = 5;

/** A marquee that is gone, or has started again, is unknown by its old identifier. */
async function hold(cdp: CDPSession, turns: Map<string, number>): Promise<void> {
  for (const [id, duration] of turns) {
    const animations = [id];
    await cdp.send('Animation.setPaused', { animations, paused: true }).catch(() => turns.delete(id));
    const seeking = cdp.send('Animation.seekAnimations', { animations, currentTime: duration / 2 });
    await seeking.catch(() => turns.delete(id));
  }
}

/**
 * Stops each `<marquee>` halfway. Its animation is internal to Chromium, and scripts can't reach it; only the protocol
 * can. Other animations of the page have ended by then.
 */
export async function holdMarquees(open: OpenPage, count: number): Promise<void> {
  const { cdp, guard } = open;
  const turns = started.get(cdp) ?? new Map<string, number>();
  if (!started.has(cdp)) {
    started.set(cdp, turns);
    cdp.on('Animation.animationStarted', ({ animation }) => {
      if (animation.type === 'WebAnimation') turns.set(animation.id, animation.source?.duration ?? 0);
    });
    await guard.within(cdp.send('Animation.enable'), RESPONSE_MS, 'The page stopped responding');
    await evaluateInMainWorld(open, RESTART);
  }
  const known = () => [...turns.keys()].join();
  let held: string | null = null;
  // One that is gone was of an earlier page, or has just turned around and started again.
  for (let tries = 0; held !== known() && tries < HOLD_TRIES; tries += 1) {
    // They start some frames after they were added to the page.
    for (let frames = 0; turns.size < count && frames < START_TRIES; frames += 1) await guard.pause(FRAME_MS);
    held = known();
    await guard.within(hold(cdp, turns), RESPONSE_MS, 'The page stopped responding');
    await guard.pause(2 * FRAME_MS);
  }
}

/** The browser's name for the part of a video's controls that shows the ring. */
const RING = '-internal-media-controls-loading-panel';
const HIDE = "function () { this.style.visibility = 'hidden' }";

/**
 * Hides the rings of videos whose file never arrives: they turn as long as it is loading. Neither a script nor a style
 * sheet can reach them, only the protocol can.
 */
export async function hideRings(open: OpenPage): Promise<void> {
  const isRing = ({ attributes = [] }: { attributes?: string[] }) => attributes.includes(RING);
  await useNodes(open, isRing, async (node) => callOnNode(open, node, HIDE, 'ours'));
}
