import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

const REDACTED = [
  'password',
  'token',
  'authorization',
  'cookie',
  'secret',
  '*.password',
  '*.token',
  '*.authorization',
  '*.cookie',
  '*.secret',
  'req.headers.authorization',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
];

/** Structured JSON lines on standard output; passwords, tokens and cookies are never written. */
export function createLogger(level: string, name = 'pixelgate'): Logger {
  return pino({ name, level, redact: { paths: REDACTED, censor: '[redacted]' } });
}
