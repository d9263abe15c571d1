import { Client as Client2026, StreamableHTTPClientTransport as Transport2026 } from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestApi } from '../support/api-client.ts';

/** What a tool answered. `data` is what it marks as data. */
type Told = { isError: boolean; bytes: number; note: string; data: any; nextCursor?: string; images: Image[] };
type Image = { type: 'image'; data: string; mimeType: string };

/** An agent, whichever client it uses. */
export type Agent = {
  tools(): Promise<{ name: string; description?: string; inputSchema: any; annotations?: any }[]>;
  call(name: string, given?: Record<string, unknown>): Promise<Told>;
  close(): Promise<void>;
};

const NAME = { name: 'test-agent', version: '1.0.0' };

function tell(result: any): Told {
  const [first, ...images] = result.content;
  const { note, data, nextCursor } = JSON.parse(first.text);
  const bytes = Buffer.byteLength(JSON.stringify(result));
  return { isError: result.isError === true, bytes, note, data, images, ...(nextCursor ? { nextCursor } : {}) };
}

function toAgent(
  client: Pick<Client2026 | Client2025, 'close'> & { listTools(): any; callTool(call: any): any },
): Agent {
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}) => tell(await client.callTool({ name, arguments: given })),
    close: async () => client.close(),
  };
}

const headers = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

export async function connect2026(api: TestApi, token: string, name = NAME): Promise<Agent> {
  const client = new Client2026(name, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new Transport2026(new URL(`${api.url}/mcp`), headers(token)));
  return toAgent(client);
}

export async function connect2025(api: TestApi, token: string): Promise<Agent> {
  const client = new Client2025(NAME);
  await client.connect(new Transport2025(new URL(`${api.url}/mcp`), headers(token)));
  return toAgent(client);
}
