import type { Knex } from 'knex';
import { pino } from 'pino';
import { readConfig, type Config } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import type { Mail } from '../../src/mailer.ts';

export type AuthContext = Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'mailer'>;

/** The lowest cost that bcrypt supports. */
export const LOW_COST = 4;

export const PASSWORD = 'correct horse';

/** A context whose clock and settings a test can change, and whose log lines and emails it can read. */
export function authContext(db: Knex, settings: Partial<Config> = {}, configured = true) {
  const lines: string[] = [];
  const mails: Mail[] = [];
  const time = { now: new Date('2030-01-02T03:04:05Z') };
  const ctx: AuthContext = {
    db,
    config: {
      ...readConfig({ PUBLIC_URL: 'https://gate.example' }),
      jwtSecret: 'a secret of thirty-two bytes or more',
      ...settings,
    },
    clock: { now: () => time.now },
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    mailer: {
      configured,
      send: async (mail) => {
        mails.push(mail);
      },
    },
  };
  const wait = (ms: number) => {
    time.now = new Date(time.now.getTime() + ms);
  };
  return { ctx, lines, mails, wait };
}
