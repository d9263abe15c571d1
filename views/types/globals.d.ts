/** What the scripts read of a request of htmx. */
type Exchange = {
  target: Element;
  /** `action` may be changed before the request is sent. */
  request: { action: string; method: string };
  /** The question to answer first. */
  confirm?: string;
  /** Absent when there was no answer. */
  response?: { status: number };
  text?: string;
};

interface GlobalEventHandlersEventMap {
  'htmx:config:request': CustomEvent<{ ctx: Exchange }>;
  'htmx:after:request': CustomEvent<{ ctx: Exchange }>;
  'htmx:response:error': CustomEvent<{ ctx: Exchange }>;
  /** Without `ctx`: the request could not even be made. */
  'htmx:error': CustomEvent<{ ctx?: Exchange }>;
  'htmx:before:swap': CustomEvent<{ ctx: Exchange }>;
  'htmx:after:swap': CustomEvent<{ ctx: Exchange }>;
}

interface HTMLElementEventMap {
  /** The comparison view shows its screenshots in another way. */
  'comparison:mode': CustomEvent;
}

interface HTMLElementTagNameMap {
  /** `value`: the part of the width that shows the first screenshot, in percent; none before its script is loaded. */
  'img-comparison-slider': HTMLElement & { value: number };
}
