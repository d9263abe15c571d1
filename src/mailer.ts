import type { Transporter } from 'nodemailer';
import { withTimeLimit } from './async/time-limit.ts';
import type { Logger } from './logger.ts';

/**
 * One message to one person. `unsubscribe`: the address at which one click ends such messages (RFC 8058). `id`: the same if
 * the message is sent again, so that mail programs show it once (Message-ID of RFC 5322, without brackets).
 */
export type Mail = { to: string; subject: string; text: string; html?: string; unsubscribe?: string; id?: string };

export type Mailer = {
  /** False when no mail server is configured: the caller decides what to do instead. */
  readonly configured: boolean;
  /** Resolves when the mail server has accepted the message. */
  send(mail: Mail): Promise<void>;
};

export type MailerOptions = {
  /** Null: no mail server is configured. */
  smtpUrl: string | null;
  /** The sender, as in `Pixelgate <pixelgate@example.com>`. */
  mailFrom: string;
  log: Logger;
  /** Milliseconds for one message. */
  sendMs?: number;
};

/** In milliseconds. A mail server that does not answer must not hold up a job for minutes, nodemailer's default. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/** A server that sends a line now and then is never silent. A job that waited for it would end its worker thread. */
const SEND_MS = 120_000;

/** Uses one connection per message. Rejects when the mail server refuses a message or does not answer in time. */
export function createMailer({ smtpUrl, mailFrom, log, sendMs = SEND_MS }: MailerOptions): Mailer {
  if (smtpUrl === null) return { configured: false, send: refuse };
  let transport: Promise<Transporter> | null = null;
  return {
    configured: true,
    async send(mail) {
      transport ??= openTransport(smtpUrl);
      const sending = (await transport).sendMail(buildMessage(mail, mailFrom));
      const sent = await withTimeLimit(sendMs, sending, () => new Error('The mail server is too slow'));
      log.info({ messageId: sent.messageId }, 'mail accepted by the mail server');
    },
  };
}

/** Nodemailer is loaded with the first message. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ ...TIMEOUTS, url, disableFileAccess: true, disableUrlAccess: true });
}

async function refuse(): Promise<void> {
  throw new Error('No mail server is configured (SMTP_URL)');
}

/** With one click only over TLS, as RFC 8058 demands. */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
});

/** Passes the recipient as one address, never as text in which a comma or a line break could add another. */
function buildMessage({ to, subject, text, html, unsubscribe, id }: Mail, from: string) {
  if (!/^[^\s\p{Cc},;:<>()"]+@[^\s\p{Cc},;:<>()"@]+$/u.test(to)) throw new Error('The recipient is not one address');
  return {
    from,
    to: { name: '', address: to },
    subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(),
    text,
    ...(html === undefined ? {} : { html }),
    ...(id === undefined ? {} : { messageId: `<${id}>` }),
    headers: {
      // RFC 3834: asks for no automatic replies, such as out-of-office answers.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe === undefined ? {} : unsubscribeHeaders(unsubscribe)),
    },
  };
}
