import { storableText } from '../text/bad-text.ts';
import type { CaptureWarning } from './browser/browser.ts';

type WarningCode =
  | 'never_idle'
  | 'never_loaded'
  | 'not_scrolled_through'
  | 'images_not_loaded'
  | 'fonts_not_loaded'
  | 'parts_not_loaded'
  | 'height_not_settled'
  | 'not_at_rest'
  | 'clock_stopped'
  | 'late_timer'
  | 'other_timeout'
  | 'service_worker_blocked'
  | 'element_missing'
  | 'action_failed'
  | 'cut'
  | 'unstable'
  | 'dialog'
  | 'download'
  | 'popup';

export type Warnings = {
  add(code: WarningCode, message: string, more?: Pick<CaptureWarning, 'timeout'>): void;
  has(code: WarningCode): boolean;
  all(): CaptureWarning[];
};

/** The limits that were hit. A limit that is hit again in a second context or screenshot is listed only once. */
export function collectWarnings(): Warnings {
  const warnings = new Map<string, CaptureWarning>();
  return {
    add(code, text, more = {}) {
      const message = storableText(text);
      if (!warnings.has(message)) warnings.set(message, { code, message, ...more });
    },
    has: (code) => [...warnings.values()].some((warning) => warning.code === code),
    all: () => [...warnings.values()],
  };
}
