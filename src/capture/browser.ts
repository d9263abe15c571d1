export type CaptureRequest = {
  url: string;
  viewport: { width: number; height: number };
  waitStrategy: 'networkidle' | 'domcontentloaded' | 'load';
  /** Milliseconds after the wait strategy. */
  waitTime: number;
  fullPage: boolean;
  /** Injected just before the picture; empty: none. */
  customCss: string;
  userAgent: string | null;
  /** Milliseconds for the navigation and for each bounded step. */
  timeout: number;
  /** SHA-256 (hex) of the approved picture; a first picture with these bytes settles the capture. */
  baselineSha256: string | null;
};

export type CaptureWarning = { code: string; message: string };

export type Capture = {
  png: Buffer;
  sha256: string;
  width: number;
  height: number;
  title: string | null;
  /** Every bound that was hit (never idle, cut at 16,384 px, images not loaded, unstable), for the run's log. */
  warnings: CaptureWarning[];
  /** Browser kind and version, and what else decides pixels. */
  engine: string;
  /** Milliseconds, all pictures together. */
  duration: number;
};

/** The page could not be captured; the message is for people ("The page answered 404 Not Found"). */
export class CaptureError extends Error {}

/** The capture was stopped by `isCancelled`. */
export class CaptureCancelled extends Error {}

/** One browser of one worker thread: launched on first use, kept between captures, replaced when it dies. */
export type Browser = {
  /**
   * Loads the page in a fresh context and takes stable pictures (issue "Capture"). A picture that differs from the
   * baseline is taken once more in a fresh context.
   * @throws CaptureError, CaptureCancelled
   */
  capture(request: CaptureRequest, isCancelled: () => Promise<boolean>): Promise<Capture>;
  /** The page's HTML after its scripts ran, for the crawl of pages that build their links in the browser. */
  renderHtml(
    url: string,
    options: { userAgent: string | null; timeout: number },
  ): Promise<{ url: string; html: string }>;
  close(): Promise<void>;
};
