import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server, type Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { storableText } from '../text/bad-text.ts';
import { cut, inOneLine } from '../text/format.ts';
import { VERSION } from '../version.ts';
import { callTool, describeInput, type Caller, type ToolContext } from './call-tool.ts';
import { isOpenTo, TOOLS, type Tool } from './tools.ts';

const INSTRUCTIONS =
  'Pixelgate compares screenshots of web pages with approved baselines. Find the run of a pull request, commit or branch, wait for it, and read what changed by cause. Only people approve.';

const AGENT_MAX_LENGTH = 100;

function describeTool(tool: Tool): ListedTool {
  const { summary, description = '', method } = tool.route;
  const sentences = [`${summary}.`, description, tool.hint].filter((sentence) => sentence !== '');
  return {
    name: tool.name,
    description: sentences.join(' '),
    inputSchema: describeInput(tool),
    annotations: { readOnlyHint: method === 'get', openWorldHint: false },
  };
}

/** What the client calls itself. Clients of 2025 say so only once, and then it is the user agent. */
function nameAgent(server: Server, userAgent: string | null): string {
  const { name, version } = server.getClientVersion() ?? { name: userAgent ?? 'unnamed', version: '' };
  return cut(inOneLine(storableText(`${name} ${version}`)).trim(), AGENT_MAX_LENGTH);
}

/** One request: the protocol has no sessions. */
function createServer(ctx: ToolContext, { viewer, gone }: Caller, userAgent: string | null): Server {
  const server = new Server(
    { name: 'pixelgate', title: 'Pixelgate', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: TOOLS.filter((tool) => isOpenTo(tool, viewer)).map(describeTool),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const agent = nameAgent(server, userAgent);
    return callTool(ctx, { viewer: { ...viewer, agent }, gone }, params.name, params.arguments);
  });
  return server;
}

export async function answerAgent(ctx: ToolContext, req: Request, res: Response, caller: Caller): Promise<void> {
  const userAgent = req.get('user-agent') ?? null;
  const onerror = (error: Error) => ctx.log.debug({ err: error }, 'a request of an agent was refused');
  const handler = createMcpHandler(() => createServer(ctx, caller, userAgent), { onerror, maxSubscriptions: 0 });
  await toNodeHandler(handler, { onerror })(req, res, req.body);
}
