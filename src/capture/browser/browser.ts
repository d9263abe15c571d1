import type { FailureCode } from '../../net/failure-code.ts';
import type { Wall } from '../../net/recognize-wall.ts';
import type { SentAccess } from '../../net/sent-access.ts';
import type { Recorded } from '../manifest/manifest.ts';
import type { Served } from '../served/served.ts';
import type { SignedIn, SignInRequest } from '../site-access/sign-in-request.ts';
import type { CaptureRequest, CaptureWay } from './capture-request.ts';

/** Where a capture ended up. */
export type Landing = {
  /** The final URL. */
  url: string;
  /** A password field can be seen. */
  asksForPassword: boolean;
};

export type CaptureWarning = {
  code: string;
  message: string;
  /** The `settle.timeout` that would be enough, ms. */
  timeout?: number;
};

export type Capture = {
  png: Buffer;
  sha256: string;
  width: number;
  height: number;
  title: string | null;
  /** Every limit that was hit (never idle, cut, images not loaded, unstable), for the run's log. */
  warnings: CaptureWarning[];
  /** The kind and version of the browser, and everything else that affects the pixels. */
  engine: string;
  /** Milliseconds for all screenshots together. */
  duration: number;
  /** Whether the first screenshot was accepted, or a later one, or the page never looked the same twice. */
  stability: 'AT_ONCE' | 'SETTLED' | 'UNSTABLE';
  /** How many were taken. */
  screenshots: number;
  /** The SHA-256 of other screenshots that loads of the page have shown as well. */
  alsoSeen: string[];
  /** What the server returned in each load, for `origins`. Null if the screenshot has the baseline's bytes. */
  served: Served | null;
  /** What the page is made of, if that was recorded. */
  recorded?: Recorded | null;
  /** Part of the page is outside of the screenshot. */
  cut: boolean;
  /** The screenshot was taken of a page at rest. */
  atRest: boolean;
  way: CaptureWay;
  /**
   * Captured like its baseline was, which differs from the suite's current settings, the page has the bytes of the
   * baseline.
   */
  asBefore: 'not_at_rest' | 'other_timeout' | null;
  /** An encoded element map. Null when the screenshot has the baseline's bytes. */
  elements: Buffer | null;
  /** What assistive technology is told, encoded (`encodeHeard`). Null when that was not read. */
  heard: Buffer | null;
  /** Selectors of the rules that matched nothing on this page. */
  unmatched: string[];
  /** Null when the screenshot has the baseline's bytes. */
  landing: Landing | null;
};

/** The page could not be captured. The message is shown to people ("The page answered 404 Not Found"). */
export class CaptureError extends Error {
  readonly code: FailureCode;
  /** The wall that blocked the page. Null: no known wall. */
  readonly wall: Wall | null;
  /** If the page left its host or its preview: where it went. Null: the error is about something else. */
  readonly address: string | null;

  constructor(
    message: string,
    {
      code = 'other',
      wall = null,
      address = null,
      ...options
    }: ErrorOptions & { code?: FailureCode | undefined; wall?: Wall | null; address?: string | null } = {},
  ) {
    super(message, options);
    this.code = wall === null ? code : 'wall';
    this.wall = wall;
    this.address = address;
  }
}

/** Another page in the browser may have caused this. */
export class BrowserFailed extends CaptureError {}

/**
 * The page's renderer crashed, for example because memory was short. It says nothing about the page until it happens
 * again.
 */
export class PageCrashed extends Error {
  constructor(options?: ErrorOptions) {
    super('The page crashed its browser tab', options);
  }
}

/** The capture was stopped by `isCancelled`. */
export class CaptureCancelled extends Error {}

/**
 * The browser of one worker thread. It is launched on first use, reused for later captures, and replaced when it dies.
 */
export type Browser = {
  /**
   * Loads the page in a fresh context and takes screenshots until they are stable. A screenshot that
   * differs from the baseline is taken once more in a fresh context.
   * @throws CaptureError, CaptureCancelled
   */
  capture(request: CaptureRequest, isCancelled: () => Promise<boolean>): Promise<Capture>;
  /** The page's HTML after its scripts have run. Used to crawl pages that build their links in the browser. */
  renderHtml(
    url: string,
    options: { userAgent: string | null; timeout: number; access: SentAccess | null },
  ): Promise<{ url: string; html: string }>;
  /** Fills in a login form in a fresh context. @throws CaptureError when that does not work */
  signIn(request: SignInRequest): Promise<SignedIn>;
  /** The `engine` of this browser's screenshots. Launches the browser if necessary. */
  engine(): Promise<string>;
  close(): Promise<void>;
};
