import { createTransport } from 'nodemailer';
import type { Logger } from '../logger.ts';
import type { Mail, Mailer } from './mailer.ts';

export type MailerOptions = {
  /** Null: no mail server is configured. */
  smtpUrl: string | null;
  /** The sender, as in `Pixelgate <pixelgate@example.com>`. */
  mailFrom: string;
  log: Logger;
};

/** Milliseconds. A mail server that says nothing must not hold a job for nodemailer's default of minutes. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** One connection per message. What the mail server refuses, or does not answer in time, rejects. */
export function createMailer({ smtpUrl, mailFrom, log }: MailerOptions): Mailer {
  if (smtpUrl === null) return { configured: false, send: refuse };
  const transport = createTransport({ ...TIMEOUTS, url: smtpUrl, disableFileAccess: true, disableUrlAccess: true });
  return {
    configured: true,
    async send(mail) {
      const sent = await transport.sendMail(buildMessage(mail, mailFrom));
      log.info({ messageId: sent.messageId }, 'mail accepted by the mail server');
    },
  };
}

async function refuse(): Promise<void> {
  throw new Error('No mail server is configured (SMTP_URL)');
}

/** The recipient goes in as one address, never as text in which a comma or a line break could add another. */
function buildMessage({ to, subject, text }: Mail, from: string) {
  if (!/^[^\s\p{Cc},;:<>()"]+@[^\s\p{Cc},;:<>()"@]+$/u.test(to)) throw new Error('The recipient is not one address');
  return {
    from,
    to: { name: '', address: to },
    subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(),
    text,
    // RFC 3834: no out-of-office answers to a machine.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
