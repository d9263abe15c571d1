import type { CDPSession, Page } from 'playwright';

/** What a page has cost since the measuring began: bytes over the line with their headers, and by kind. */
type Cost = { bytes: number; byType: Record<string, number>; shift: number };

export type Meter = {
  /** Ends when nothing was asked for during some frames. */
  idle(): Promise<void>;
  /** Once the line is idle. */
  read(): Promise<Cost>;
  /** DOM nodes of the tab, and its heap in bytes, after a garbage collection. */
  readMemory(): Promise<{ nodes: number; heap: number }>;
  restart(): void;
};

const SHIFT = `
  window.measuredShift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.measuredShift += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** A tile is asked for a frame after it comes near. */
const QUIET_FRAMES = 5;

async function readMetrics(session: CDPSession) {
  // Collects what `HeapProfiler.collectGarbage` leaves: elements that only each other refer to.
  await session.send('HeapProfiler.takeHeapSnapshot');
  const { metrics } = await session.send('Performance.getMetrics');
  const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { nodes: read('Nodes'), heap: read('JSHeapUsedSize') };
}

/** Before the page is opened. */
export async function measureVisit(page: Page): Promise<Meter> {
  const session = await page.context().newCDPSession(page);
  const types = new Map<string, string>();
  const underWay = new Set<string>();
  let byType: Record<string, number> = {};
  session.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type));
  session.on('Network.requestWillBeSent', ({ requestId }) => underWay.add(requestId));
  session.on('Network.loadingFailed', ({ requestId }) => underWay.delete(requestId));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    underWay.delete(requestId);
    const type = types.get(requestId) ?? 'Other';
    byType[type] = (byType[type] ?? 0) + encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Performance.enable');
  await page.addInitScript(SHIFT);
  const idle = async () => {
    for (let quiet = 0; quiet < QUIET_FRAMES; quiet = underWay.size === 0 ? quiet + 1 : 0) {
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)))');
    }
  };
  return {
    idle,
    async read() {
      await page.waitForLoadState('networkidle');
      await idle();
      const shift = await page.evaluate<number>('window.measuredShift');
      const bytes = Object.values(byType).reduce((sum, each) => sum + each, 0);
      return { bytes, byType: { ...byType }, shift };
    },
    readMemory: async () => readMetrics(session),
    restart() {
      byType = {};
    },
  };
}
