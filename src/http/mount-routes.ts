import type { RequestHandler, Router } from 'express';
import { allowOnly } from './allowed-methods.ts';

type Mountable = { method: 'get' | 'post' | 'patch' | 'delete'; path: string };

function groupByPath<R extends Mountable>(routes: readonly R[]): Map<string, R[]> {
  const byPath = new Map<string, R[]>();
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  return byPath;
}

/** Adds a table of routes to a router. A method that an address does not have is answered by 405. */
export function mountRoutes<R extends Mountable>(
  router: Router,
  routes: readonly R[],
  handlers: { before(path: string): RequestHandler; of(route: R): RequestHandler[] },
): void {
  for (const [path, sharing] of groupByPath(routes)) {
    const at = router.route(path).all(handlers.before(path));
    for (const route of sharing) at[route.method](...handlers.of(route));
    at.all(allowOnly(sharing.map(({ method }) => method)));
  }
}
