import { FetchError, redirectTarget, type FetchRequest, type FetchResponse, type Network } from '../../net/network.ts';
import { recognizeWall, type Wall } from '../../net/recognize-wall.ts';
import { headersFor } from '../../net/sent-access.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { explainWall, isNamedLogin, visitSite, type SiteVisit, type VisitContext } from './visit-site.ts';

export type SiteFetch = {
  fetch: Network['fetch'];
  /** The access that is sent to the origin of this URL. Each origin is looked up once. */
  visit: (url: string) => Promise<SiteVisit>;
  /** The first wall that was met, and what passes it. Null: none. */
  wall: () => string | null;
};

function leadsToLogin(visit: SiteVisit, response: FetchResponse, url: string): boolean {
  const next = redirectTarget(response, url);
  return next !== null && isNamedLogin(visit, next);
}

/** Requests to a suite's site and its previews, with the access to them. Expired sessions are renewed. */
export function createSiteFetch(ctx: VisitContext, of: { suiteId: string; scope: string }): SiteFetch {
  const visits = new Map<string, Promise<SiteVisit>>();
  /** Sessions that the site has accepted. */
  const worked = new WeakSet<SiteVisit>();
  let firstWall: string | null = null;

  const visit = async (url: string): Promise<SiteVisit> => {
    const { origin } = new URL(url);
    const known = visits.get(origin) ?? visitSite(ctx, { ...of, url });
    visits.set(origin, known);
    return known;
  };

  const send = async (request: FetchRequest, { sent, failure }: SiteVisit): Promise<FetchResponse> => {
    if (failure !== null) throw new FetchError(failure, 'protocol');
    return ctx.network.fetch({ ...request, headers: { ...request.headers, ...headersFor(sent, request.url) } });
  };

  const findWall = (response: FetchResponse, url: string, met: SiteVisit): Wall | null =>
    leadsToLogin(met, response, url) ? 'login' : recognizeWall(response, url);

  const note = (wall: Wall | null, url: string, met: SiteVisit): void => {
    if (wall === null) worked.add(met);
    else firstWall ??= explainWall({ wall, address: url, visit: met });
  };

  return {
    visit,
    wall: () => firstWall,
    async fetch(request) {
      const { url } = request;
      if (parseUrl(url) === null) return ctx.network.fetch(request);
      const before = await visit(url);
      const response = await send(request, before);
      const wall = findWall(response, url, before);
      if (wall === null || before.renew === null || !worked.has(before)) {
        note(wall, url, before);
        return response;
      }
      const { origin } = new URL(url);
      const renewal = before.renew();
      visits.set(origin, renewal);
      const renewed = await renewal;
      const again = await send(request, renewed);
      const stays = findWall(again, url, renewed);
      if (stays === null) renewed.confirm();
      note(stays, url, renewed);
      return again;
    },
  };
}
