import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server, type Tool as ListedTool } from '@modelcontextprotocol/server';
import { Router, type RequestHandler, type Response } from 'express';
import { writeLlmsText } from '../api/llms-text.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { invalid, unauthenticated } from '../errors.ts';
import { allowOnly } from '../http/allowed-methods.ts';
import { jsonBody } from '../http/json-body.ts';
import { ownFormsOnly } from '../http/own-origin.ts';
import { watchClient } from '../http/watch-client.ts';
import { cut } from '../text/cut.ts';
import { inOneLine } from '../text/lines.ts';
import { VERSION } from '../version.ts';
import { callTool, type Caller, type ToolContext } from './call-tool.ts';
import { createPictures } from './pictures.ts';
import { describeInput } from './tool-input.ts';
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
  return cut(inOneLine(`${name} ${version}`).trim(), AGENT_MAX_LENGTH);
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

/** A token in the header only: a cookie is for browsers, and pages of other sites must not call tools with it. */
async function readViewer({ locals }: Response): Promise<Viewer | null> {
  return locals.session.bearer ? locals.session.viewer() : null;
}

/** Before the body is read. */
const requireToken: RequestHandler = async (_req, res, next) => {
  if ((await readViewer(res)) === null) {
    res.set('WWW-Authenticate', 'Bearer realm="Pixelgate"');
    throw unauthenticated('Send an API token as Authorization: Bearer <token>');
  }
  next();
};

function answer(ctx: ToolContext): RequestHandler {
  const onerror = (error: Error) => ctx.log.debug({ err: error }, 'a request of an agent was refused');
  return async (req, res) => {
    // One call a request, as the protocol says since June 2025. A list could have thousands.
    if (Array.isArray(req.body)) throw invalid('The body must be one message');
    const viewer = await readViewer(res);
    if (viewer === null) throw unauthenticated();
    const caller = { viewer, gone: watchClient(res) };
    const factory = () => createServer(ctx, caller, req.get('user-agent') ?? null);
    const handler = createMcpHandler(factory, { onerror, maxSubscriptions: 0 });
    await toNodeHandler(handler, { onerror })(req, res, req.body);
  };
}

/**
 * What agents call and read, to be mounted at `/`. `/mcp` has tools: the Model Context Protocol of 2026-07-28, and that of
 * 2025 for older clients. Both are stateless.
 */
export function createMcp(ctx: Context): Router {
  const router = Router();
  const text = writeLlmsText(ctx.config.publicUrl);
  router
    .route('/llms.txt')
    .get((_req, res) => {
      res.locals.route = '/llms.txt';
      res.set('Cache-Control', 'public, max-age=3600').type('text/plain').send(text);
    })
    .all(allowOnly(['get']));
  router
    .route('/mcp')
    .all((_req, res, next) => {
      res.locals.route = '/mcp';
      res.set('Cache-Control', 'no-store');
      next();
    })
    .post(
      ownFormsOnly(ctx.config.publicUrl),
      requireToken,
      jsonBody,
      answer({ ...ctx, readPictures: createPictures(ctx) }),
    )
    .all(allowOnly(['post']));
  return router;
}
