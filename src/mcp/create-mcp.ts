import { Router, type RequestHandler, type Response } from 'express';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { ownFormsOnly } from '../http/own-origin.ts';
import { jsonBody } from '../http/read-body.ts';
import { allowOnly, watchClient } from '../http/serve-endpoints.ts';
import { notSignedIn } from '../http/session.ts';
import { createPictures, type ToolContext } from './call-tool.ts';

/** `/llms.txt`: where an agent finds what, in a few lines (llmstxt.org). */
function writeLlmsText(publicUrl: string): string {
  return `# Pixelgate

> Visual review of websites: screenshots of pages at several viewports, compared with approved baselines. People approve what changed; until then the check of a pull request waits.

Every request needs an API token: \`Authorization: Bearer <token>\`. A token of one suite with the scope \`read\` changes nothing.

- [Tools for agents](${publicUrl}/mcp): Model Context Protocol, Streamable HTTP
- [API](${publicUrl}/api/openapi.md): every operation and schema, as Markdown
- [API as OpenAPI 3.1](${publicUrl}/api/openapi.json): the same, for programs
- [Configuration file](${publicUrl}/schema.json): JSON Schema of \`.github/pixelgate.yml\`

The review of a run is at \`${publicUrl}/runs/<id>\`, and in short, as Markdown, at \`${publicUrl}/runs/<id>/summary.md\`. Both need a token of a person. With that of a suite, the summary is at \`${publicUrl}/api/test-runs/<id>/summary\`, as JSON.
`;
}

/** A token in the header only: a cookie is for browsers, and pages of other sites must not call tools with it. */
async function readViewer({ locals }: Response): Promise<Viewer | null> {
  return locals.session.bearer ? locals.session.viewer() : null;
}

/** Before the body is read. */
const requireToken: RequestHandler = async (_req, res, next) => {
  if ((await readViewer(res)) === null) {
    res.set('WWW-Authenticate', 'Bearer realm="Pixelgate"');
    throw notSignedIn(res.locals.session, 'Send an API token as Authorization: Bearer <token>');
  }
  next();
};

function answer(ctx: ToolContext): RequestHandler {
  return async (req, res) => {
    // One call a request, as the protocol says since June 2025. A list could have thousands.
    if (Array.isArray(req.body)) throw invalid('The body must be one message');
    const viewer = await readViewer(res);
    if (viewer === null) throw notSignedIn(res.locals.session);
    // Takes 30 MB, which a service without agents does without.
    const { answerAgent } = await import('./answer-agent.ts');
    await answerAgent(ctx, req, res, { viewer, gone: watchClient(res) });
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
