/** What the page of flows shows of a first link, whoever played it. */
import { expect } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { INTERNAL_PASSWORD } from '#testing/fixtures.ts';

/** A page on this flow alone: its calls in order, each linked to its message, and no secrets. */
export function expectFirstLink(text: string): void {
  expect(text).toContain('first link: sign in, be refused, exchange token, authenticate, record the session');
  const calls = [...text.matchAll(/<tspan class="number">\d+<\/tspan> (\w+)<\/text>/g)].map(
    ([, call]) => call,
  );
  expect(calls.filter((call) => call !== 'result')).toEqual([
    ...['request_otp', 'confirm_otp', 'get_patient', 'exchange_token', 'save_exchange_token', 'authenticate'],
    ...['report_link', 'save_auth_info', 'get_patient'],
  ]);
  // Each arrow links to its message, which occurs once.
  const targets = [...text.matchAll(/href="#(m0-\d+)"/g)].map(([, id]) => id);
  for (const id of targets) expect(text.split(`id="${id}"`)).toHaveLength(2);
  const [patient] = personas.anna.patients;
  const { surname, birthdate, medcardNumber } = patient;
  for (const secret of [INTERNAL_PASSWORD, '79991112233', surname, birthdate, medcardNumber])
    expect(text).not.toContain(secret);
  expect(text).toContain('‹session-token 1›');
  expect(text).toContain('‹patient data›');
  // Finds what looks like a token, a code or a digest, except in the hashes of the page's own style and
  // script.
  expect(text.replace(/sha256-[\w+/]+=/g, '')).not.toMatch(/[A-Za-z0-9_-]{40,}/);
  expect(text).toContain('‹code 1›');
}
