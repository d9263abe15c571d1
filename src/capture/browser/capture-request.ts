import { z } from 'zod';
import type { SentAccess } from '../../net/sent-access.ts';
import type { SiteBase } from '../../net/site-base.ts';
import type { Places } from '../manifest/places.ts';

type CaptureViewport = {
  /** CSS px. */
  width: number;
  height: number;
  /** Pixels of the image for each CSS px. */
  deviceScaleFactor: number;
  /** Null: as the suite says. */
  colorScheme: 'light' | 'dark' | null;
  touch: boolean;
  /** Null: the browser's own. */
  userAgent: string | null;
};

/** What the browser tells pages about its user. */
type Emulation = {
  colorScheme: 'light' | 'dark' | 'no-preference';
  locale: string;
  timezone: string;
  reducedMotion: boolean;
};

export type PageAction =
  | { type: 'click' | 'hover' | 'scrollTo'; selector: string }
  | { type: 'type'; selector: string; text: string }
  | { type: 'press'; key: string; selector?: string | undefined }
  | { type: 'wait'; ms: number };

/** The suite's rules for one page and viewport, merged. Selectors, actions in order, and a style sheet. */
export type PageRules = {
  hide: string[];
  remove: string[];
  mask: string[];
  ignore: string[];
  waitFor: string[];
  actions: PageAction[];
  css: string;
};

/** `headers`: names in lower case. */
export type SiteAnswer = { status: number; headers: Record<string, string>; body: Buffer };

/** Answers requests to one origin in place of its server: an uploaded build. */
export type SiteAnswers = { origin: string; answer(method: string, url: string): Promise<SiteAnswer> };

/** How a page that does not always look the same is captured. */
export const CaptureWay = z.object({
  /** The page's clock ran, or was stopped and moved on. */
  clock: z.enum(['running', 'stopped']),
  /** `settle.timeout`, ms. */
  timeout: z.number(),
  /** The `settle.timeout` for each timer that changes the picture after that, ms. */
  late: z.array(z.number()),
});
export type CaptureWay = z.infer<typeof CaptureWay>;

/** The highest `settle.timeout`, ms. */
export const MAX_SETTLE_MS = 30_000;

/** The captures of one page at several viewports, one after the other, which `endSeries` ends. */
export type CaptureSeries = {
  readonly path: string;
  /** Called when a capture waits for rest. It leaves nothing to the next one then, which may begin beside it. */
  onWait?: () => void;
};

export type CaptureRequest = {
  url: string;
  viewport: CaptureViewport;
  waitStrategy: 'networkidle' | 'domcontentloaded' | 'load';
  /** Milliseconds to wait after the wait strategy. */
  waitTime: number;
  fullPage: boolean;
  /** CSS that is injected just before the screenshot. May be empty. */
  customCss: string;
  /** Milliseconds for the navigation and for each step that has a limit. */
  timeout: number;
  /**
   * When a page is at rest: `quiet` ms after its last change, and `network` ms after its last request. `timeout` is how
   * long to wait for rest after load, ms.
   */
  settle: { quiet: number; network: number; timeout: number };
  /** Find out what later timers change, which takes one more load of a page that has some. */
  looksBeyond: boolean;
  emulation: Emulation;
  /** What pages read as the date. `fixed` stands still while timers run, `running` starts at the instant. ISO 8601. */
  clock: { mode: 'fixed' | 'running'; at: string } | null;
  /** Random numbers are the same in every capture. */
  seedRandom: boolean;
  /** Globs. Requests to these hosts fail. */
  blockHosts: string[];
  rules: PageRules;
  /**
   * The page belongs to a preview: addresses below `base` correspond to those below `site`, and the page must not leave
   * `base`. Null: it is on the suite's own site.
   */
  preview: { base: SiteBase; site: SiteBase } | null;
  /** Whether the page may register service workers. */
  serviceWorkers: 'block' | 'allow';
  /** Null: the site's own server answers. */
  site: SiteAnswers | null;
  /**
   * The servers between which this page is compared. What they serve is reported, without their own names. Missing: not
   * needed.
   */
  origins?: readonly string[];
  /**
   * Record what the page is made of, either always or if its screenshot differs from the baseline. Missing: nothing is
   * recorded.
   */
  records?: { places: Places; always: boolean };
  /**
   * Read what assistive technology is told, either of a page that is new or differs from the baseline, or of every page.
   * Missing: never.
   */
  heard?: 'differs' | 'always';
  /**
   * The approved screenshot, by the SHA-256 (hex) of its bytes. If it was taken at rest and the first screenshot has
   * exactly these bytes, the capture is finished. Without `way`, it is unknown. `heard`: the SHA-256 of its accessibility
   * tree. If this page is told otherwise, another load has to confirm it.
   */
  baseline: { sha256: string; atRest: boolean; way?: CaptureWay | null; heard?: string | null } | null;
  /** The access to the site. Null: nothing is sent. */
  access: SentAccess | null;
  /**
   * Pages of one scope (of a run and site) are first looked at in one kept page, one after the other. Without it, pages
   * are captured in fresh contexts only.
   */
  scope?: string;
  /**
   * Resolves when the page may be loaded from its site. The resulting function is called, at least once, when the page
   * waits for something or, unless it belongs to a series, is done. Called for each load. Without it, pages may always
   * load.
   */
  takeTurn?: () => Promise<() => void>;
  /** Captures of a series load a page once if nothing can change it any more. Without it, each one loads the page. */
  series?: CaptureSeries;
};
