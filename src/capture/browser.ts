export type CaptureRequest = {
  url: string;
  viewport: { width: number; height: number };
  waitStrategy: 'networkidle' | 'domcontentloaded' | 'load';
  /** Milliseconds to wait after the wait strategy. */
  waitTime: number;
  fullPage: boolean;
  /** CSS that is injected just before the screenshot. May be empty. */
  customCss: string;
  userAgent: string | null;
  /** Milliseconds for the navigation and for each step that has a limit. */
  timeout: number;
  /**
   * SHA-256 (hex) of the approved screenshot. If the first screenshot has exactly these bytes, the capture is finished.
   */
  baselineSha256: string | null;
};

export type CaptureWarning = { code: string; message: string };

export type Capture = {
  png: Buffer;
  sha256: string;
  width: number;
  height: number;
  title: string | null;
  /** Every limit that was hit (never idle, cut at 16,384 px, images not loaded, unstable), for the run's log. */
  warnings: CaptureWarning[];
  /** The kind and version of the browser, and everything else that affects the pixels. */
  engine: string;
  /** Milliseconds for all screenshots together. */
  duration: number;
};

/** The page could not be captured. The message is shown to people ("The page answered 404 Not Found"). */
export class CaptureError extends Error {}

/** The capture was stopped by `isCancelled`. */
export class CaptureCancelled extends Error {}

/**
 * The browser of one worker thread. It is launched on first use, reused for later captures, and replaced when it dies.
 */
export type Browser = {
  /**
   * Loads the page in a fresh context and takes screenshots until they are stable (issue "Capture"). A screenshot that
   * differs from the baseline is taken once more in a fresh context.
   * @throws CaptureError, CaptureCancelled
   */
  capture(request: CaptureRequest, isCancelled: () => Promise<boolean>): Promise<Capture>;
  /** The page's HTML after its scripts have run. Used to crawl pages that build their links in the browser. */
  renderHtml(
    url: string,
    options: { userAgent: string | null; timeout: number },
  ): Promise<{ url: string; html: string }>;
  close(): Promise<void>;
};
