import type { CaptureWarning } from '../../capture/browser/browser.ts';
import type { Row } from '../../db/row.ts';
import { namePlace } from '../../text/readable-path.ts';

export const LOG_TYPES = ['INFO', 'WARNING', 'ERROR', 'SUCCESS', 'PROGRESS', 'DEBUG', 'SYSTEM'] as const;
export type LogType = (typeof LOG_TYPES)[number];

export type RunLogLine = {
  type: LogType;
  message: string;
  metadata?: Record<string, unknown>;
  /** 0 to 100: how much of the run is settled. */
  progress?: number;
};

declare module '../../db/json.ts' {
  interface JsonColumns {
    'test_run_logs.metadata': Record<string, unknown>;
  }
}

/** A warning about one result. */
export function warningLine(
  { path, viewport }: { path: string; viewport: string },
  { message, ...about }: CaptureWarning,
): RunLogLine {
  const where = namePlace({ path, viewport });
  return { type: 'WARNING', message: `${where}: ${message}`, metadata: { path, viewport, ...about } };
}

export type RunLog = Omit<Row<'test_run_logs'>, 'number' | 'updatedAt'>;

/** The position of a line in its log. */
export type LogPlace = [number: number];
