/** What a page, an action or a part answers; `serve-row.ts` makes a response of it. */
export type Answer =
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
      /** What of the navigation the page belongs to. */
      section?: Section;
      /** Another site that a form of this page posts to: let through by the content security policy. */
      formOrigin?: string;
    }
  /** A view without the layout, for htmx to put into a page that is open. */
  | { kind: 'part'; view: string; model: object; status?: number }
  /** After an action (POST redirects), with a sentence that the next page shows once. `to` is a path of our own. */
  | { kind: 'lead'; to: string; notice?: string };

export type Section = 'dashboard' | 'suites' | 'buckets' | 'runs' | 'account' | 'setup';

export function leadTo(to: string, notice?: string): Answer {
  return notice === undefined ? { kind: 'lead', to } : { kind: 'lead', to, notice };
}
