import { expect, it } from '@jest/globals';
import { relyingParty } from '../../src/auth/passkeys/passkey.ts';

it.each([
  ['https://gate.example.com', true, 'gate.example.com'],
  ['https://gate.example.com:8443', true, 'gate.example.com'],
  ['https://gate1', true, 'gate1'],
  ['http://localhost:3000', true, 'localhost'],
  ['http://gate.example.com', true, null],
  ['https://192.0.2.7', true, null],
  ['https://[2001:db8::7]', true, null],
  ['https://gate.example.com', false, null],
])(
  'are for the domain of PUBLIC_URL, where browsers have passkeys: %s, passwords %s',
  (publicUrl, passwordSignIn, id) => {
    expect(relyingParty({ publicUrl, passwordSignIn })?.id ?? null).toBe(id);
  },
);
