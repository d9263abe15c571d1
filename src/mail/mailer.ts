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
