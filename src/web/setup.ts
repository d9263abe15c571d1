import { Router } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { invalid, unauthenticated } from '../errors.ts';
import { webAddress } from '../github/addresses.ts';
import { beginSetUp, finishSetUp, readConnection } from '../github/set-up-app.ts';
import { allowOnly } from '../http/allowed-methods.ts';
import { failureOf } from '../http/failure.ts';
import { connectPage, connectedPage, problemPage } from './setup-page.ts';

const CSP = 'Content-Security-Policy';

const Choice = z.object({ organization: z.string().trim().optional().catch(undefined) });
const Answer = z.object({ code: z.string().min(1).max(200), state: z.string().min(1).max(2000) });

async function signedIn(res: Response): Promise<Viewer> {
  const viewer = await res.locals.session.viewer();
  if (viewer === null) throw unauthenticated('Sign in as the first user of this service, then load this page again');
  return viewer;
}

/** The one page whose form leads away from here. */
function allowFormTo(res: Response, origin: string): void {
  const policy = String(res.getHeader(CSP) ?? '');
  res.setHeader(CSP, policy.replace("form-action 'self'", `form-action 'self' ${origin}`));
}

function show(ctx: Context): RequestHandler {
  return async (req, res) => {
    res.locals.route = '/setup';
    const viewer = await signedIn(res);
    const connection = await readConnection(ctx, viewer);
    if (connection.kind === 'environment' || connection.kind === 'stored') {
      res.type('html').send(connectedPage(connection));
      return;
    }
    const organization = Choice.parse(req.query).organization || null;
    const form = await beginSetUp(ctx, viewer, organization);
    allowFormTo(res, new URL(webAddress(ctx.config)).origin);
    res.type('html').send(connectPage(connection, form, organization, ctx.config.publicUrl));
  };
}

function answerOf(req: Request): z.output<typeof Answer> {
  const answer = Answer.safeParse(req.query);
  if (!answer.success) throw invalid('GitHub sends code and state here; one of them is missing');
  return answer.data;
}

function takeOver(ctx: Context): RequestHandler {
  return async (req, res) => {
    res.locals.route = '/setup/callback';
    const viewer = await signedIn(res);
    await finishSetUp(ctx, viewer, answerOf(req));
    res.redirect(303, '/setup');
  };
}

/** A person reads this, so what they can cause is told on a page; all else goes the usual way. */
const tellProblem: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const { status, body, retryAfter } = failureOf(error);
  if (status === 500) {
    next(error);
    return;
  }
  if (retryAfter !== null) res.setHeader('Retry-After', String(retryAfter));
  res.status(status).type('html').send(problemPage(body.error));
};

/** `/setup`: connects the service to GitHub, by GitHub's manifest flow. */
export function setupRouter(ctx: Context): Router {
  const router = Router();
  router.use('/setup', (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  router
    .route('/setup')
    .get(show(ctx))
    .all(allowOnly(['get']));
  router
    .route('/setup/callback')
    .get(takeOver(ctx))
    .all(allowOnly(['get']));
  router.use('/setup', tellProblem);
  return router;
}
