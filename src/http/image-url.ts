import type { Config } from '../config.ts';

/** The address at which a browser opens a stored picture: on the CDN where there is one, else under `/files` (contract 2). */
export function imageUrl({ cdnBaseUrl, publicUrl }: Pick<Config, 'cdnBaseUrl' | 'publicUrl'>, name: string): string {
  return `${cdnBaseUrl ?? `${publicUrl}/files`}/${name}`;
}
