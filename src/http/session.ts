import type { Request, RequestHandler } from 'express';
import { viewerOf } from '../auth/find-viewer.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { readCookie } from './cookies.ts';

/** What a request says of its sender. */
type Session = {
  /** True when the browser's cookie, not a Bearer token, speaks for the sender. */
  cookie: boolean;
  /** Looked up on first use, once: what asks for no viewer (login, the docs) needs no database for it. */
  viewer(): Promise<Viewer | null>;
};

declare global {
  namespace Express {
    interface Locals {
      session: Session;
    }
  }
}

function bearerToken(req: Request): string | null {
  return /^Bearer +(\S+) *$/i.exec(req.get('authorization') ?? '')?.[1] ?? null;
}

/** Reads who is calling. A Bearer token wins over the cookie, also when it turns out to be worthless (contract 4). */
export function readSession(ctx: Pick<Context, 'config' | 'db' | 'clock'>): RequestHandler {
  return (req, res, next) => {
    const bearer = bearerToken(req);
    const token = bearer ?? readCookie(req, 'session');
    let viewer: Promise<Viewer | null> | null = null;
    res.locals.session = {
      cookie: bearer === null && token !== null,
      viewer() {
        viewer ??= viewerOf(ctx, token);
        return viewer;
      },
    };
    next();
  };
}
