import type { Wall } from '../../net/recognize-wall.ts';
import type { AccessKind } from './site-access.ts';
import type { SiteVisit } from './visit-site.ts';

/** The name of each wall, and the settings that pass it, the usual one first. */
const WALLS: Record<Wall, { name: string; setting: string; passedBy: AccessKind[] }> = {
  vercel: { name: 'Vercel’s deployment protection', setting: 'Vercel protection bypass', passedBy: ['vercel'] },
  cloudflareAccess: {
    name: 'Cloudflare Access',
    setting: 'Cloudflare Access service token',
    passedBy: ['cloudflareAccess'],
  },
  netlify: { name: 'Netlify’s site password', setting: 'Netlify password', passedBy: ['netlify'] },
  basic: { name: 'basic authentication', setting: 'Basic authentication', passedBy: ['basic'] },
  login: {
    name: 'a login',
    setting: 'Form login” or “Storage state',
    passedBy: ['login', 'storageState', 'cookies', 'headers'],
  },
};

export const nameWall = (wall: Wall): string => WALLS[wall].name;

function advise(wall: Wall, host: string, visit: SiteVisit): string {
  const { setting, passedBy } = WALLS[wall];
  switch (visit.withheld) {
    case 'OTHER_HOST':
      return `Site access is not sent to ${host}. If this is one of your previews, add its host in “Access to the site”`;
    case 'OTHER_ORIGIN':
      return 'The suite’s URL has changed since site access was set up, so it is not sent. Set it up again';
    case 'OTHER_SECRET':
      return 'Site access can’t be read because JWT_SECRET has changed. Set it up again';
    case 'NONE':
    case null:
      return visit.kinds.some((kind) => passedBy.includes(kind))
        ? 'It did not accept what is set in “Access to the site”'
        : `To pass it, set “${setting}” in “Access to the site”`;
  }
}

/** Sentences: which wall it is, and which setting passes it. */
export function explainWall({ wall, address, visit }: { wall: Wall; address: string; visit: SiteVisit }): string {
  const { host } = new URL(address);
  return `${host} is behind ${WALLS[wall].name}. ${advise(wall, host, visit)}`;
}
