import { expect, test } from 'vitest';
import type { Moment } from '../api.ts';
import { startConsole } from './testing/start-console.ts';

const TOO_LONG_MS = 366 * 86_400_000 + 1;
const long = 'x'.repeat(101);
const down = { wire: 'client->ehr', fault: 'down' };

const bodies: readonly [path: string, body: unknown, refusal: string][] = [
  ['clock', {}, 'the body: Invalid input'],
  ['clock', { advanceMs: TOO_LONG_MS }, 'advanceMs: Too big'],
  ['clock', { to: 'beforeTokenEnd', advanceMs: 1 }, 'the body: Invalid input'],
  ['clock', { party: 'sms', skewMs: 0 }, 'the body: Invalid input'],
  ['faults', { ...down, more: 1 }, 'the body: Unrecognized key: "more"'],
  ['faults', { ...down, times: 0 }, 'times: Too small'],
  ['faults', { ...down, times: 1_000_001 }, 'times: Too big'],
  ['faults', { ...down, delayMs: 3_600_001 }, 'delayMs: Too big'],
  ['faults', { ...down, delayMs: -1 }, 'delayMs: Too small'],
  ['faults', { ...down, method: '' }, 'method: Too small'],
  ['faults', { ...down, fault: long }, 'fault: Too big'],
  ['faults', { ...down, reason: null }, 'reason: Invalid input: expected string'],
  ['text-trouble', { kind: 'eaten', times: 1 }, 'kind: Invalid option'],
  ['text-trouble', { kind: 'lost' }, 'times: Invalid input'],
  ['text-trouble', { kind: 'lost', times: 1, more: 1 }, 'the body: Unrecognized key: "more"'],
  ['scenario', { do: 'jump' }, 'do: Invalid option'],
  ['scenario', { do: 'play', id: long }, 'id: Too big'],
  ['scenario', { do: 'play', paceMs: 60_001 }, 'paceMs: Too big'],
  ['scenario', { do: 'step', more: 1 }, 'the body: Unrecognized key: "more"'],
  ['snapshots', { name: '' }, 'name: Too small'],
  ['snapshots', { name: long }, 'name: Too big'],
  ['snapshots', { name: 'a', more: 1 }, 'the body: Unrecognized key: "more"'],
];

const moments: readonly [change: object, refusal: string][] = [
  [{ version: 2 }, 'version: Invalid input: expected 1'],
  [{ step: 101 }, 'step: Too big'],
  [{ movedMs: -TOO_LONG_MS }, 'movedMs: Too small'],
  [{ skewMs: { client: 0 } }, 'skewMs.auth: Invalid input'],
  [{ faults: Array.from({ length: 51 }, () => down) }, 'faults: Too big'],
  [{ faults: [{ ...down, times: 0 }] }, 'faults.0.times: Too small'],
  [{ scenario: long }, 'scenario: Too big'],
  [{ more: 1 }, 'the body: Unrecognized key: "more"'],
];

test('a strange member, type or value is refused, and its place is named', async () => {
  const { ask, get } = await startConsole();
  const now = await get<Moment>('/api/moment');
  const ofMoment = moments.map(([change, refusal]) => ['moment', { ...now, ...change }, refusal] as const);
  for (const [path, body, refusal] of [...bodies, ...ofMoment]) {
    const message = expect.stringMatching(new RegExp(`^Please look at ${refusal}`));
    expect(await ask('POST', `/api/${path}`, body)).toEqual({
      status: 400,
      body: { error: { reason: 'invalid', message } },
    });
  }
  expect(await get('/api/moment')).toEqual(now);
});

test('what is not possible, or not there, is refused with its status', async () => {
  const { ask } = await startConsole();
  for (const [method, path, body, status, reason, message] of [
    ['POST', 'clock', { to: 'afterSessionEnd' }, 409, 'not_possible', /^The EHR server holds no session/],
    ['POST', 'scenario', { do: 'step' }, 409, 'not_possible', /^No scenario is chosen/],
    ['POST', 'faults', { ...down, fault: 'flood' }, 409, 'not_possible', /^"flood" is no fault/],
    ['DELETE', 'faults/9', undefined, 404, 'not_found', /^No fault of this id is armed/],
    ['POST', 'snapshots/7/restore', undefined, 404, 'not_found', /^There is no such snapshot/],
    ['DELETE', 'snapshots/7', undefined, 404, 'not_found', /^There is no such snapshot/],
    ['GET', 'messages/9', undefined, 404, 'not_found', /^There is no such message/],
    ['GET', 'messages/9/har', undefined, 404, 'not_found', /^There is no such message/],
    ['GET', 'elsewhere', undefined, 404, 'not_found', /^The console has no such route/],
  ] as const)
    expect(await ask(method, `/api/${path}`, body)).toEqual({
      status,
      body: { error: { reason, message: expect.stringMatching(message) } },
    });
});
