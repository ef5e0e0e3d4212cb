import { expect, test } from 'vitest';
import type { Entry } from '../../../engine/journal/entry.ts';
import { exchange, playedStep, request, response } from '../../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../../engine/journal/view.ts';
import { toldToClientRules } from './secrets.ts';

test.each([
  ['pass', 'sid=a; HttpOnly; SameSite=Lax'],
  ['fail', 'sid=a; HttpOnly'],
  ['fail', 'sid=a; Max-Age=60; SameSite=Lax'],
  ['fail', 'other=‹session-token 1›'],
  ['pass', 'language=ru'],
  ['pass', 'sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
  ['pass', 'sid=deleted; Max-Age=0'],
])('of session cookies the live ones must be guarded: %s, %s', (outcome, line) => {
  const about = { scenario: 'first-link', label: 'link: exchange token', step: 'exchangeToken' } as const;
  const entries: Entry[] = [
    { kind: 'scenario', seq: 1, at: 1, scenario: 'first-link', phase: 'begin', alone: true },
    ...playedStep(2, about),
    exchange(4, { response: response('', { headers: [['Set-Cookie', line]] }) }),
    exchange(5, { request: request({ headers: [['Cookie', 'lang=en; sid=a']] }), response: response('') }),
  ];
  const check = toldToClientRules.find(({ id }) => id === 'session-cookie-guarded');
  expect(check?.judge(new JournalView(entries)).outcome).toBe(outcome);
});
