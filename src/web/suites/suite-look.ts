import type { SiteLook } from '../../pages/look/site-look.ts';
import type { Poll } from '../live-poll.ts';

/** Seconds between two polls of a look, which takes a few of them. */
const WAIT = 1;

/** What the partial `suites/look` prints: what was found at an address. */
export type LookModel = {
  /** Null for an address that was refused. */
  id: string | null;
  host: string;
  poll: Poll | null;
  /** Announced to screen readers when it changes. */
  status: string;
  isKnown: boolean;
  title: string | null;
  icon: string | null;
  picture: string | null;
  /** Whether the picture is still missing. */
  isPictured: boolean;
  /** Null: not known. */
  sitemap: { found: number; partial: boolean } | null;
  pages: string[];
  moved: string | null;
  forbidden: boolean;
  problem: string | null;
};

const EMPTY = {
  isKnown: false,
  title: null,
  icon: null,
  picture: null,
  isPictured: false,
  sitemap: null,
  pages: [],
  moved: null,
  forbidden: false,
};

export function lookModel(look: SiteLook): LookModel {
  const { id, facts, picture, problem } = look;
  const { host } = new URL(facts?.address ?? look.address);
  const isPending = look.status === 'PENDING';
  const shared = {
    id,
    host,
    poll: isPending ? { href: `/suites/looks/${id}`, seconds: WAIT } : null,
    status: isPending ? `Checking ${host}` : (problem ?? `Found ${facts?.title ?? host}`),
    problem,
  };
  if (facts === null) return { ...EMPTY, ...shared, isPictured: isPending };
  const { title, icon, pages, moved, forbidden } = facts;
  return {
    ...shared,
    isKnown: true,
    title,
    icon,
    picture,
    isPictured: isPending,
    sitemap: facts.sitemap === null ? null : { found: facts.sitemap.addresses, partial: facts.sitemap.partial },
    pages,
    moved,
    forbidden,
  };
}

/** An address that is not allowed. */
export function refusedLook(problem: string): LookModel {
  return { ...EMPTY, id: null, host: '', poll: null, status: problem, problem };
}
