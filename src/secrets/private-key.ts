import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { errorMessage } from '../errors.ts';

const isPem = (text: string) => text.startsWith('-----BEGIN ');

/** A variable of one line holds a PEM with `\n` written out, or base64 of the whole (both as in Probot). */
function toPem(text: string): string {
  const trimmed = text.trim();
  const pem = isPem(trimmed) ? trimmed : Buffer.from(trimmed, 'base64').toString('utf8').trim();
  return pem.replaceAll(String.raw`\n`, '\n');
}

/**
 * The PEM of a GitHub App's private key.
 * @throws Error that says what is wrong with it, never what it holds.
 */
export function parsePrivateKey(text: string): string {
  const pem = toPem(text);
  if (!isPem(pem)) throw new Error('is neither a PEM key nor a base64-encoded PEM key');
  let type: string | undefined;
  try {
    type = createPrivateKey(pem).asymmetricKeyType;
  } catch {
    throw new Error('is a PEM, but has no readable private key');
  }
  if (type !== 'rsa') throw new Error(`must be an RSA key, not ${type ?? 'an unknown type'}`);
  return pem;
}

/** @throws Error like `parsePrivateKey`, or when the file can't be read. */
export function readPrivateKey(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot be read: ${errorMessage(error)}`, { cause: error });
  }
  return parsePrivateKey(text);
}
