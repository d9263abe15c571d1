/** One message to one person. `unsubscribe`: the address at which one click ends such messages (RFC 8058). */
export type Mail = { to: string; subject: string; text: string; html?: string; unsubscribe?: string };

export type Mailer = {
  /** False when no mail server is configured: the caller decides what to do instead. */
  readonly configured: boolean;
  /** Resolves when the mail server has accepted the message. */
  send(mail: Mail): Promise<void>;
};
