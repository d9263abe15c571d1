import type { Notice } from './flash-notice.ts';

/** What a handler returns. `web-edge.ts` turns it into a response. */
export type Reply =
  | {
      kind: 'page';
      /** A file in `views/`, without `.hbs`. */
      view: string;
      /** Shown in the browser tab, before the product's name. */
      title: string;
      model: object;
      status?: number;
      /** `narrow` for a page with only a form, `full` for screenshots side by side. */
      width?: 'narrow' | 'full';
      /** The entry of the main navigation that the page belongs to. */
      section?: Section;
      /** Another site that a form on this page posts to. The content security policy then allows it. */
      formOrigin?: string;
    }
  /** A view without the layout, which htmx inserts into an open page. */
  | { kind: 'fragment'; view: string; model: object; status?: number }
  | { kind: 'markdown'; text: string }
  /**
   * Redirects after an action (POST), with a message that the next page shows once. `to` is a path of this service.
   * `clearCache` makes the browser clear its cache of our pages.
   */
  | { kind: 'redirect'; to: string; notice?: string | Notice; clearCache?: true };

export type Section = 'dashboard' | 'suites' | 'single-pages' | 'runs' | 'account' | 'setup';

export function redirect(to: string, notice?: string | Notice): Reply {
  return notice === undefined ? { kind: 'redirect', to } : { kind: 'redirect', to, notice };
}
