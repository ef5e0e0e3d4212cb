import { expect, test } from 'vitest';
import { UPSTREAM_MARK } from '../../../wire/faults.ts';
import type { ExchangeEntry } from '../../entry.ts';
import { openRecorder, request, response } from '../../testing/exchanges.ts';

const PASSWORD = 'päss "word"/4711';
const ANN = { scenario: 's', user: 'Ann', phone: '79990000001' };
const BEA = { scenario: 's', user: 'Bea', phone: '79990000002' };

/** The secrets found in an answer to a step of Ann's. Ann and Bea were sent codes and have sessions. */
function secretsIn(
  { body = '', headers = [] }: { body?: string; headers?: [string, string][] },
  { password = PASSWORD, code = '204863', confirmed = false } = {},
): string[] | undefined {
  const recorder = openRecorder(undefined, { password });
  const { knowledge } = recorder;
  for (const person of [ANN, BEA]) knowledge.learnPerson(person, person.phone);
  recorder.code(ANN, code);
  recorder.code(BEA, '917355');
  knowledge.learnOwned('session-token', 'token-of-ann', ANN.phone);
  knowledge.learnOwned('session-token', 'token-of-bea', BEA.phone);
  knowledge.learnOwned('user-sign', 'sign-of-bea', BEA.phone);
  knowledge.learnUser('user-of-ann', ANN.phone);
  knowledge.learnUser('user-of-bea', BEA.phone);
  knowledge.digests.add('0123456789abcdef0123456789abcdef01234567');
  const step = recorder.step({ scenario: 's', user: 'Ann', step: 'confirmOtp', label: 'sign in' });
  if (confirmed) knowledge.useCode(code, ANN.phone, step.seq);
  const open = recorder.exchange({ link: 'client->auth', request: request() }, step.seq);
  open.end({ response: response(body, { headers }) });
  return (recorder.entries().at(-1) as ExchangeEntry).facts.toClient;
}

test.each([
  ['as it is', PASSWORD],
  ['as PHP writes JSON', JSON.stringify(PASSWORD).replace('/', '\\/').replace('ä', '\\u00E4')],
  ['in a form', new URLSearchParams({ p: PASSWORD }).toString()],
  ['in base64', Buffer.from(`user:${PASSWORD}`).toString('base64')],
])('the internal password is seen in an answer %s', (_form, body) => {
  expect(secretsIn({ body })).toEqual(['the internal password in the body']);
});

test('phone and user of somebody else are seen where they stand alone', () => {
  expect(secretsIn({ body: '{"others":["user-of-bea"],"phone":"+79990000002"}' })).toEqual([
    'the user of somebody else in the body',
    'the phone of somebody else in the body',
  ]);
  const body = '{"id":"user-of-bea-2","trace":"x79990000002","user":"user-of-ann","to":"79990000001"}';
  expect(secretsIn({ body })).toBeUndefined();
});

test.each<[string[], Parameters<typeof secretsIn>[0]]>([
  [['a code that is not confirmed yet in header location'], { headers: [['Location', '/next?code=204863']] }],
  [['a code that is not confirmed yet in header set-cookie'], { headers: [['Set-Cookie', 'hint=MjA0ODYz']] }],
  [
    ['a digest of the internal channel in the body'],
    { body: '{"d":"0123456789abcdef0123456789abcdef01234567"}' },
  ],
  [
    ['a session token of another user in the body', 'a user_sign of another user in the body'],
    { body: '["token-of-ann","token-of-bea","sign-of-bea"]' },
  ],
  [["the EHR server's own error text in the body"], { body: `{"detail":"HTTP 500: ${UPSTREAM_MARK}"}` }],
])('%j is seen in an answer', (secrets, answer) => {
  expect(secretsIn(answer)).toEqual(secrets);
});

test.each<[string, string, boolean]>([
  ['Location', '/next?token=token-of-ann', true],
  ['Refresh', '0; url=/next?t=%74oken-of-ann', true],
  ['Set-Cookie', 'sid=token-of-ann; Path=/; Secure', true],
  ['Set-Cookie', 'sid=token-of-ann; Path=/; HttpOnly; Secure', false],
  ['Location', '/next?token=token-of', false],
])('a token in the header %s: %s is seen: %s', (name, value, isSeen) => {
  const found = isSeen ? [`a token or signature in header ${name.toLowerCase()}`] : undefined;
  expect(secretsIn({ headers: [[name, value]] })).toEqual(found);
});

test.each([
  '{"code":204863}',
  '{"code":"204863"}',
  'x=204863&y',
  'code%3D204863',
  'code\\u003d204863',
  '204863.',
  btoa('v=1;204863;and'),
])('a code that is not confirmed yet is seen in %s', (body) => {
  expect(secretsIn({ body })).toEqual(['a code that is not confirmed yet in the body']);
  expect(secretsIn({ body }, { confirmed: true })).toBeUndefined();
});

test.each([
  ['a longer number', '{"at":12048631}'],
  ['a number with more digits behind it', '{"at":2048630}'],
  ['a token', '{"token":"ab204863cd"}'],
  ['the code of somebody else', '{"n":917355}'],
  ["one's own token", '"token-of-ann"'],
  ['no answer at all', ''],
])('nothing is seen in %s', (_what, body) => {
  expect(secretsIn({ body })).toBeUndefined();
});

test('a short code is not taken for the numbers of HTTP', () => {
  const date = 'Sun, 22 Nov 2026 18:00:00 GMT';
  const numbers = { Date: date, 'Content-Length': '2026', 'X-RateLimit-Remaining': '2026' };
  expect(secretsIn({ headers: Object.entries(numbers) }, { code: '2026' })).toBeUndefined();
  expect(secretsIn({ headers: [['X-Debug', '2026']] }, { code: '2026' })).toHaveLength(1);
});

test('codes and passwords of three characters are not looked for: they stand in anything', () => {
  expect(secretsIn({ body: '{"a":204,"b":"abc"}' }, { code: '204', password: 'abc' })).toBeUndefined();
});

test('a password that is a word is not seen within another word', () => {
  expect(secretsIn({ body: '{"error":"unsecretive"}' }, { password: 'secret' })).toBeUndefined();
  expect(secretsIn({ body: '{"error":"is secret."}' }, { password: 'secret' })).toHaveLength(1);
});
