import type { Request, RequestHandler } from 'express';
import { findViewer } from '../auth/sessions/start-session.ts';
import { isApiToken } from '../auth/tokens/api-token.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { unauthenticated, type AppError } from '../errors.ts';
import { readCookie } from './cookies.ts';

/** Who sent the request. */
type Session = {
  /** True when a Bearer token identifies the sender, whatever cookies there are. */
  bearer: boolean;
  /** Looked up once, on first use. Requests that need no viewer (login, the docs) don't query the database. */
  viewer(): Promise<Viewer | null>;
};

declare global {
  namespace Express {
    interface Locals {
      session: Session;
    }
  }
}

/**
 * Reads who is calling. A Bearer token takes precedence over the cookie, even when the token is invalid (docs/rules.md,
 * Who may do what).
 */
export function readSession(ctx: Pick<Context, 'config' | 'db' | 'clock'>): RequestHandler {
  return (req, res, next) => {
    const bearer = /^Bearer +(\S+) *$/i.exec(req.get('authorization') ?? '')?.[1] ?? null;
    const cookie = readCookie(req, 'session');
    // Programs send their tokens in the header, where no other site can make a browser send them.
    const token = bearer ?? (cookie === null || isApiToken(cookie) ? null : cookie);
    let viewer: Promise<Viewer | null> | null = null;
    res.locals.session = {
      bearer: bearer !== null,
      viewer() {
        viewer ??= findRequester(ctx, token, req);
        return viewer;
      },
    };
    next();
  };
}

/** Why nobody is known. @param message for a request without a token */
export const notSignedIn = ({ bearer }: Session, message?: string): AppError =>
  unauthenticated(bearer ? 'This token is unknown, revoked or expired' : message);

/** The viewer, with the address that the request came from. */
async function findRequester(
  ctx: Pick<Context, 'config' | 'db' | 'clock'>,
  token: string | null,
  req: Request,
): Promise<Viewer | null> {
  const viewer = await findViewer(ctx, token, req.get('user-agent') ?? null);
  return viewer === null || req.ip === undefined ? viewer : { ...viewer, address: req.ip };
}
