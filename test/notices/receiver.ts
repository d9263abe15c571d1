import http from 'node:http';
import type { AddressInfo } from 'node:net';

type Received = { headers: Record<string, string>; body: string };

type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang up' | 'hang';

export type Receiver = {
  url: string;
  received: Received[];
  /** What it answers from now on. */
  answer: (next: Answer) => void;
  stop: () => Promise<void>;
};

/** A program that is told of events, over real HTTP. It answers 200 until it is told something else. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const state: { answer: Answer } = { answer: { status: 200 } };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      received.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString('utf8') });
      const { answer } = state;
      if (answer === 'hang') return;
      if (answer === 'hang up') request.socket.destroy();
      else response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/told?key=secret-in-the-address`,
    received,
    answer: (next) => {
      state.answer = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
