import type { Response } from 'playwright';
import { unlessLate } from '../../async/time-limit.ts';
import { portOf } from '../../text/parse-url.ts';
import { sha256Of } from '../../text/sha256.ts';
import type { OpenPage } from '../open-page.ts';
import { askAgain } from './served-twice.ts';
import { cutFact, listAssets, readHeaders, withoutNames, type Served } from './served.ts';

/** A document that is still being sent after this long is left out, ms. */
const BODY_MS = 2000;
const BODY_MAX = 5_000_000;

const hash = (text: string) => sha256Of(text).slice(0, 32);

const soon = async <T>(work: Promise<T>): Promise<T | null> => unlessLate(BODY_MS, work);

function describeDocument(body: Buffer | null, origins: readonly string[]): Served {
  if (body === null || body.length > BODY_MAX) return {};
  const text = body.toString();
  const assets = listAssets(text).map((name) => withoutNames(name, origins));
  return { document: hash(withoutNames(text, origins)), assets: hash(assets.join(' ')) };
}

/** All names of this machine mean the same address. */
const ofMachine = (address: string) => (/^(?:::ffff:)?127\.|^\[?::1\]?$/.test(address) ? 'loopback' : address);

/** Behind the filtering proxy, the browser only knows the proxy's address. */
async function readAddresses({ launched }: OpenPage, response: Response): Promise<string[]> {
  const url = new URL(response.url());
  if (launched.behindProxy) {
    const addresses = (await soon(launched.addresses(url.hostname))) ?? [];
    return addresses.map((address) => `${ofMachine(address)} ${portOf(url)}`);
  }
  const server = await soon(response.serverAddr());
  return server === null ? [] : [`${ofMachine(server.ipAddress)} ${server.port}`];
}

/**
 * What the server returned for a page. `origins` are all names that it may use for itself. @param twice requests the
 * document once more, because no other load of the page follows
 */
export async function readServed(
  open: OpenPage,
  response: Response,
  { origins, twice }: { origins: readonly string[]; twice: boolean },
): Promise<Served[]> {
  const [body, again, addresses, security] = await Promise.all([
    soon(open.requests.body(response)),
    twice ? soon(askAgain(open, response.url())) : null,
    readAddresses(open, response),
    soon(response.securityDetails()),
  ]);
  const { subjectName, issuer, validFrom, validTo } = security ?? {};
  const certificate = [subjectName, issuer, validFrom, validTo].join(' ').trim();
  const server = {
    ...(certificate === '' ? {} : { certificate: cutFact(certificate) }),
    ...(addresses.length === 0 ? {} : { addresses: cutFact(addresses.sort().join(', ')) }),
  };
  const answers = [{ body, headers: response.headers() }, ...(again === null ? [] : [again])];
  return answers.map((answer) => ({
    ...describeDocument(answer.body, origins),
    ...readHeaders(answer.headers, origins),
    ...server,
  }));
}
