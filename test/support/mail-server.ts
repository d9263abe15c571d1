import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A message as it arrived. `content`: its source, with quoted-printable text decoded. */
type ReceivedMail = { to: string[]; content: string };

export type MailServer = {
  /** For `SMTP_URL`. */
  url: string;
  received: ReceivedMail[];
  /** Takes no further message, or takes them again. */
  refuse(refuses: boolean): void;
  stop(): Promise<void>;
};

const decode = (source: string): string =>
  source
    .replaceAll('=\r\n', '')
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'));

/** A mail server on the loopback address that keeps what it gets. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let refuses = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => (refuses ? done(new Error('No room')) : done()),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const content = decode(Buffer.concat(chunks).toString());
        received.push({ to: envelope.rcptTo.map(({ address }) => address), content });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse(now) {
      refuses = now;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
