const hostWithPort = (url: URL): string => `${url.hostname.replace(/\.$/, '')}:${url.port}`;

/** http and https on their default ports count as the same host. `www.` or another port makes it a different host. */
export function isOnHost(url: string, baseUrl: string): boolean {
  return hostWithPort(new URL(url)) === hostWithPort(new URL(baseUrl));
}
