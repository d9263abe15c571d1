import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { createMailer } from '../src/mailer.ts';

type Received = { from: string; to: string[]; content: string };

const log = pino({ level: 'silent' });
const received: Received[] = [];
let server: SMTPServer;
let smtpUrl: string;

function portOf(listener: net.Server): number {
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}

const listen = (listener: { listen(port: number, host: string, done: () => void): unknown }) =>
  new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', () => resolve());
  });

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'gate' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('Wrong password')),
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('nobody@') ? done(new Error('No such mailbox')) : done(),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, content: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  await listen(server);
  smtpUrl = `smtp://127.0.0.1:${portOf(server.server)}`;
});

afterEach(() => {
  received.length = 0;
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const mailer = (url = smtpUrl) => createMailer({ smtpUrl: url, mailFrom: 'Pixelgate <gate@example.com>', log });
const mail = {
  to: 'ada@example.com',
  subject: 'Reset – now',
  text: 'Open this:\nhttps://gate.example/reset?token=abc_-',
};

describe('a mailer with a mail server', () => {
  it('delivers the text to the one recipient, from the configured sender', async () => {
    await mailer().send(mail);
    expect(mailer().configured).toBe(true);
    expect(received).toEqual([{ from: 'gate@example.com', to: ['ada@example.com'], content: expect.anything() }]);
    const content = received[0]?.content ?? '';
    expect(content).toContain('From: Pixelgate <gate@example.com>');
    expect(content).toContain('To: ada@example.com');
    expect(content).toContain('Auto-Submitted: auto-generated');
    expect(content).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(content.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain('https://gate.example/reset?token=abc_-');
  });

  it('signs in with the name and password of the address', async () => {
    await mailer(smtpUrl.replace('//', '//gate:p%40ss@')).send(mail);
    expect(received).toHaveLength(1);
  });

  it('rejects when the mail server refuses the password', async () => {
    await expect(mailer(smtpUrl.replace('//', '//gate:wrong@')).send(mail)).rejects.toThrow('Wrong password');
  });

  it('keeps a line break in the subject from becoming a header', async () => {
    await mailer().send({ ...mail, subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody' });
    expect(received[0]?.to).toEqual(['ada@example.com']);
    expect(received[0]?.content).toContain('Subject: Hello Bcc: eve@example.com body');
    expect(received[0]?.content).not.toMatch(/^Bcc:/m);
  });

  it.each([
    'ada@example.com, eve@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'Ada <ada@example.com>',
    'group: ada@example.com;',
    'ada',
    '',
  ])('sends nothing to what is not one address: %j', async (to) => {
    await expect(mailer().send({ ...mail, to })).rejects.toThrow('not one address');
    expect(received).toEqual([]);
  });

  it('rejects when the mail server refuses the recipient', async () => {
    await expect(mailer().send({ ...mail, to: 'nobody@example.com' })).rejects.toThrow('No such mailbox');
  });

  it('rejects when there is nobody to connect to', async () => {
    const closed = net.createServer();
    await listen(closed);
    const port = portOf(closed);
    await new Promise((resolve) => {
      closed.close(resolve);
    });
    await expect(mailer(`smtp://127.0.0.1:${port}`).send(mail)).rejects.toThrow('ECONNREFUSED');
  });

  it('rejects when the mail server says nothing in time', async () => {
    const sockets = new Set<net.Socket>();
    const mute = net.createServer((socket) => sockets.add(socket));
    await listen(mute);
    await expect(mailer(`smtp://127.0.0.1:${portOf(mute)}?greetingTimeout=50`).send(mail)).rejects.toThrow('Greeting');
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      mute.close(resolve);
    });
  });

  it('rejects when the mail server keeps talking and never comes to an end', async () => {
    let end = (): void => {};
    const slow = net.createServer((socket) => {
      socket.write('220 Hello\r\n');
      const talk = setInterval(() => socket.write('250-And\r\n'), 20);
      socket.on('error', () => undefined).on('close', () => clearInterval(talk));
      end = () => socket.destroy();
    });
    await listen(slow);
    const sending = createMailer({
      smtpUrl: `smtp://127.0.0.1:${portOf(slow)}`,
      mailFrom: 'a@example.com',
      log,
      sendMs: 500,
    });
    await expect(sending.send(mail)).rejects.toThrow('The mail server is too slow');
    end();
    slow.close();
  });
});

describe('a mailer without a mail server', () => {
  it('says so and sends nothing', async () => {
    const unconfigured = createMailer({ smtpUrl: null, mailFrom: 'Pixelgate <gate@example.com>', log });
    expect(unconfigured.configured).toBe(false);
    await expect(unconfigured.send(mail)).rejects.toThrow('SMTP_URL');
  });
});
