import { pino } from 'pino';
import type { Logger } from '../../src/logger.ts';

type Line = { level: number; msg: string; err?: { stack?: string } };

/** A logger that keeps its lines, and the failed requests among them. */
export function memoryLog(): { logger: Logger; failures(): { level: string; text: string }[] } {
  const lines: Line[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const levelOf = (level: number) => logger.levels.labels[level] ?? String(level);
  const failures = () => lines.filter(({ msg }) => msg === 'request failed');
  return {
    logger,
    failures: () => failures().map(({ level, err }) => ({ level: levelOf(level), text: err?.stack ?? '' })),
  };
}
