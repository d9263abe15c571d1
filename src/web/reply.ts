/** What a handler returns; `web-edge.ts` makes a response of it. */
export type Reply =
  | {
      kind: 'page';
      /** A file under `views/`, without `.hbs`. */
      view: string;
      /** Stands in the tab before the product's name. */
      title: string;
      model: object;
      status?: number;
      /** `narrow` for a form alone, `full` for pictures side by side. */
      width?: 'narrow' | 'full';
      /** The entry of the main navigation that the page belongs to. */
      section?: Section;
      /** Another site that a form of this page posts to: the content security policy allows it. */
      formOrigin?: string;
    }
  /** A view without the layout, for htmx to put into a page that is open. */
  | { kind: 'fragment'; view: string; model: object; status?: number }
  /**
   * After an action (POST redirects), with a sentence that the next page shows once. `to` is a path of our own; `clearCache` makes the
   * browser drop what it kept of our pages.
   */
  | { kind: 'redirect'; to: string; notice?: string; clearCache?: true };

export type Section = 'dashboard' | 'suites' | 'single-pages' | 'runs' | 'account' | 'setup';

export function redirect(to: string, notice?: string): Reply {
  return notice === undefined ? { kind: 'redirect', to } : { kind: 'redirect', to, notice };
}
