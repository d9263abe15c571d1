import { pino } from 'pino';
import type { Logger } from '../../src/logger.ts';

type Line = { level: number; msg: string; err?: { stack?: string } };

type Logged = { level: string; text: string };

/** A logger that keeps its warnings and errors. For failed requests it also keeps the stack of the error. */
export function memoryLog(): { logger: Logger; lines(): Logged[]; failures(): Logged[] } {
  const lines: Line[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const levelOf = (level: number) => logger.levels.labels[level] ?? String(level);
  const failures = () => lines.filter(({ msg }) => msg === 'request failed');
  return {
    logger,
    lines: () => lines.map(({ level, msg, err }) => ({ level: levelOf(level), text: `${msg}: ${err?.stack ?? ''}` })),
    failures: () => failures().map(({ level, err }) => ({ level: levelOf(level), text: err?.stack ?? '' })),
  };
}
