/** What the scripts read of htmx's events. */
type Exchange = {
  /** Absent when the request never left. */
  xhr?: XMLHttpRequest;
  successful?: boolean;
  requestConfig?: { verb: string };
};

interface DocumentEventMap {
  'htmx:responseError': CustomEvent<Exchange>;
  'htmx:sendError': CustomEvent<Exchange>;
  'htmx:timeout': CustomEvent<Exchange>;
  'htmx:afterRequest': CustomEvent<Exchange>;
  /** `path` may be changed before the request is sent. */
  'htmx:configRequest': CustomEvent<{ target: Element; path: string }>;
  'htmx:beforeSwap': CustomEvent<{ target: Element }>;
}

interface HTMLElementEventMap {
  /** The comparison view shows its screenshots in another way. */
  'comparison:mode': CustomEvent;
}

interface HTMLElementTagNameMap {
  /** `value`: the part of the width that shows the first screenshot, in percent; none before its script is loaded. */
  'img-comparison-slider': HTMLElement & { value: number };
}
