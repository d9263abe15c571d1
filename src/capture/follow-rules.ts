import type { Locator } from 'playwright';
import { errorMessage } from '../errors.ts';
import { CaptureCancelled, CaptureError } from './browser/browser.ts';
import type { CaptureRequest, PageAction } from './browser/capture-request.ts';
import { isTimeout } from './browser/load-playwright.ts';
import type { OpenPage } from './open-page.ts';

/** For each action, so that a page without its element, for example a cookie banner, is not delayed for long. */
const ACTION_MS = 3000;

const VERBS = {
  click: 'click',
  hover: 'hover over',
  scrollTo: 'scroll to',
  type: 'type into',
  press: 'press a key in',
};

type ElementAction = Exclude<PageAction, { type: 'wait' }> & { selector: string };

const hasElement = (action: PageAction): action is ElementAction =>
  action.type !== 'wait' && action.selector !== undefined;

const POLL_MS = 100;

/** The first visible element that the selector matches, in the page or one of its frames. */
async function lookFor({ page, guard }: OpenPage, selector: string): Promise<Locator | null> {
  for (const frame of page.frames()) {
    const locator = frame.locator(`css=${selector}`).filter({ visible: true }).first();
    // A frame may be gone, or be replaced by another document.
    if ((await guard.race(locator.count().catch(() => 0))) > 0) return locator;
  }
  return null;
}

/** Waits for a visible element. Open shadow roots are searched, too. Null if there is none until `end`. */
async function findInFrames(open: OpenPage, selector: string, end: number): Promise<Locator | null> {
  for (;;) {
    const found = await lookFor(open, selector);
    if (found !== null || Date.now() >= end) return found;
    await open.guard.pause(Math.min(POLL_MS, Math.max(1, end - Date.now())));
  }
}

/** Waits for each selector. @returns the ones that never matched. */
async function awaitElements(open: OpenPage, { rules, timeout }: CaptureRequest): Promise<string[]> {
  const end = Date.now() + timeout;
  const missing: string[] = [];
  for (const selector of rules.waitFor) {
    if ((await findInFrames(open, selector, end)) !== null) continue;
    missing.push(selector);
    open.warnings.add('element_missing', `${selector} did not appear in time, so the page was captured without it`);
  }
  return missing;
}

async function actOn(locator: Locator, action: ElementAction, timeout: number): Promise<void> {
  switch (action.type) {
    case 'click':
      return locator.click({ timeout });
    case 'hover':
      return locator.hover({ timeout });
    case 'scrollTo':
      return locator.scrollIntoViewIfNeeded({ timeout });
    case 'type':
      return locator.pressSequentially(action.text, { timeout });
    case 'press':
      return locator.press(action.key, { timeout });
  }
}

/** @returns False when the action has no element on this page. */
async function act(open: OpenPage, action: PageAction, timeout: number): Promise<boolean> {
  const { guard, page } = open;
  if (action.type === 'wait') await guard.pause(Math.min(action.ms, timeout));
  else if (hasElement(action)) {
    const bound = Math.min(ACTION_MS, timeout);
    const locator = await findInFrames(open, action.selector, Date.now() + bound);
    if (locator === null) return false;
    await guard.race(actOn(locator, action, bound));
  } else await guard.race(page.keyboard.press(action.key));
  return true;
}

/** Why Playwright did not act, in one line. */
function explain(error: unknown): string {
  if (isTimeout(error)) return 'it did not become ready in time';
  return errorMessage(error).split('\n')[0] ?? '';
}

/** @returns The selectors of actions that found no element. */
async function performActions(open: OpenPage, { rules, timeout }: CaptureRequest): Promise<string[]> {
  const end = Date.now() + timeout;
  const missing: string[] = [];
  for (const [index, action] of rules.actions.entries()) {
    await open.guard.step();
    const what = hasElement(action) ? `${VERBS[action.type]} ${action.selector}` : action.type;
    if (Date.now() >= end) {
      open.warnings.add(
        'action_failed',
        `The actions took too long: action ${index + 1} (${what}) and later actions were skipped`,
      );
      break;
    }
    try {
      if (await act(open, action, end - Date.now())) continue;
      if (hasElement(action)) missing.push(action.selector);
      open.warnings.add('element_missing', `Could not ${what}: no such element`);
    } catch (error) {
      if (error instanceof CaptureError || error instanceof CaptureCancelled || open.page.isClosed()) throw error;
      open.warnings.add('action_failed', `Could not ${what}: ${explain(error)}`);
    }
  }
  return missing;
}

/** After a click, the mouse is moved away, so that it hovers over nothing. */
async function moveMouseAway({ page, guard }: OpenPage, actions: PageAction[]): Promise<void> {
  const last = actions.findLast(({ type }) => type === 'click' || type === 'hover');
  if (last?.type === 'click') await guard.race(page.mouse.move(-1, -1));
}

/**
 * Waits for the elements that the rules name, then acts on the page. Missing elements only cause a warning, because
 * rules apply to many pages, and relevant differences show in the comparison. @returns the selectors that matched
 * nothing.
 */
export async function followRules(open: OpenPage, request: CaptureRequest): Promise<string[]> {
  const { waitFor, actions } = request.rules;
  if (waitFor.length + actions.length === 0) return [];
  const missing = [...(await awaitElements(open, request)), ...(await performActions(open, request))];
  await moveMouseAway(open, actions);
  return missing;
}

/** How long the rules of a page may take before its screenshot, ms. */
export function timeForRules({ rules, timeout }: CaptureRequest): number {
  return (rules.waitFor.length > 0 ? timeout : 0) + (rules.actions.length > 0 ? timeout + ACTION_MS : 0);
}
