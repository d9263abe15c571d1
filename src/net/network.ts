export type FetchRequest = {
  url: string;
  userAgent: string;
  /** Milliseconds for the whole exchange. */
  timeout: number;
  /** A longer body is cut off and `truncated` set. */
  maxBytes: number;
};

export type FetchResponse = {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Decoded (content-encoding undone). */
  body: Buffer;
  truncated: boolean;
};

/** How the service reaches the sites under test; refuses addresses that are not allowed (ALLOW_PRIVATE_TARGETS). */
export type Network = {
  /** One GET, redirects not followed. Throws an Error whose message is for people. */
  fetch(request: FetchRequest): Promise<FetchResponse>;
  /** @throws AppError `unprocessable`, code `target_not_allowed`, when the address may not be reached. */
  assertAllowed(url: string): Promise<void>;
  /** Address of the filtering proxy that the browser must use; null when every address is allowed. */
  proxyUrl(): Promise<string | null>;
  close(): Promise<void>;
};
