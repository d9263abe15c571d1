import type { Lease } from './browser/keep-browser.ts';
import type { Warnings } from './capture-warnings.ts';
import type { Guard, Listener } from './guard.ts';
import { closeContext, openContext, openTab, type OpenPage, type PageOptions, type Tab } from './open-page.ts';

/** A page in a context of its own that several captures use, one after the other. */
export type ReusedPage = {
  tab: Tab;
  listener: Listener;
  size: string;
  /** Of all documents since it was cleared. */
  origins: Set<string>;
  uses: number;
  /** It may have traces that can't be cleared. */
  isOdd: boolean;
};

export const sizeOf = ({ viewport: { width, height } }: PageOptions) => `${width} × ${height}`;

export async function openReused(
  lease: Lease,
  options: PageOptions,
  { guard, warnings }: Pick<OpenPage, 'guard' | 'warnings'>,
): Promise<ReusedPage> {
  const context = await openContext(lease, options, guard);
  try {
    const listener: Listener = { guard, warnings };
    const tab = await openTab(context, lease, options, guard, listener);
    const reused: ReusedPage = { tab, listener, size: sizeOf(options), origins: new Set(), uses: 0, isOdd: false };
    tab.page.on('framenavigated', (frame) => {
      if (/^https?:/.test(frame.url())) reused.origins.add(new URL(frame.url()).origin);
    });
    return reused;
  } catch (error) {
    await closeContext(context, lease);
    throw error;
  }
}

/** A dialog, a download or another window may leave unknown traces. */
const ODD = new Set<Parameters<Warnings['add']>[0]>(['dialog', 'download', 'popup']);

export function listen(reused: ReusedPage, guard: Guard, warnings: Warnings): void {
  reused.listener.guard = guard;
  reused.listener.warnings = {
    add(code, ...more) {
      reused.isOdd ||= ODD.has(code);
      warnings.add(code, ...more);
    },
  };
}

/** Used between two pages. A failure is reported to the caller that leaves the page, too. */
export function listenToNobody(reused: ReusedPage): void {
  reused.listener.guard = { fail: () => undefined };
  reused.listener.warnings = {
    add() {
      reused.isOdd = true;
    },
  };
}
