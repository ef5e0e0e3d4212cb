import { expect, test } from 'vitest';
import { findCanaries } from '#conformance/engine/journal/secrets/canaries.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { canaryPatient, canaryProperties, canaryValues } from '#testing/people.ts';
import { post } from '#testing/wire.ts';
import { useWorld } from '#testing/worlds/use-world.ts';

/** `fetch` takes the bytes of a header as latin1. */
const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const { surname, name } = canaryProperties;
const leaks: Record<string, (url: string) => Promise<unknown>> = {
  'in the body': (url) => post(url, callText({ id: 1, method: 'auth.exchange_token', params: { surname } })),
  'in the body, escaped': (url) =>
    post(
      url,
      callText({ id: 1, method: 'x', params: { s: surname } }).replace(
        /[^ -~]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  'in the request line': (url) => post(`${url}/?s=${encodeURIComponent(surname)}`, '{}'),
  'in a header': (url) => post(url, '{}', { 'x-patient': latin1(name) }),
  // So that the value does not begin at a group of three.
  'in a header in base64': (url) =>
    post(url, '{}', { 'x-patient': Buffer.from(`ab${surname}c`).toString('base64') }),
  'in the body in base64url inside more': (url) =>
    post(url, JSON.stringify({ blob: Buffer.from(JSON.stringify(canaryProperties)).toString('base64url') })),
  'in the body in hexadecimal': (url) =>
    post(url, JSON.stringify({ blob: Buffer.from(surname).toString('hex').toUpperCase() })),
  'in another case': (url) => post(url, JSON.stringify({ s: name.toUpperCase() })),
};

for (const [where, leak] of Object.entries(leaks))
  test(`a client that leaks a property ${where} is found out`, async () => {
    const world = await useWorld({ patients: [canaryPatient] });
    await leak(world.proxies.clientToAuth.url);
    expect(findCanaries(world.proxies.clientToAuth.received(), canaryValues)).not.toEqual([]);
  });
