import { expect, test } from 'vitest';
import { digest } from '#protocol/wire/hashes.ts';
import type { RawExchange } from './entry.ts';
import { observe } from './observe.ts';
import { Knowledge } from './secrets/knowledge.ts';
import { request, response } from './testing/exchanges.ts';

const PASSWORD = 'hidden-pässword';
const knowledge = () => new Knowledge('auth', PASSWORD, new Map([['Quokka', 'the surname']]));
const TOKEN = 'exchange-token-of-ann';
const right = () => ({
  jsonrpc: '2.0',
  id: 3,
  method: 'embedded_storage.save_exchange_token',
  params: { exchangeToken: TOKEN, authInfo: { user: 'ann', token: 'session-of-ann', ttl: 60 } },
  cred: { user: 'auth', token: digest(PASSWORD, TOKEN) },
});
const exchange = (call: unknown, more: Partial<RawExchange> = {}): RawExchange => ({
  link: 'auth->ehr',
  request: request({ body: typeof call === 'string' ? call : JSON.stringify(call) }),
  ...more,
});
const RESULT = '{"jsonrpc":"2.0","result":{"id":"r"},"id":"3"}';

test('everything that checks go by is stated of a right call', () => {
  const facts = observe(exchange(right(), { response: response(RESULT) }), knowledge());
  expect(facts).toMatchObject({
    call: {
      method: 'embedded_storage.save_exchange_token',
      idType: 'integer',
      id: '3',
      jsonrpc: '2.0',
      params: { exchangeToken: 'string', authInfo: 'object' },
      authInfo: { user: 'string', token: 'string', ttl: 'integer' },
      cred: { user: 'string', token: 'string' },
      ttl: 60,
    },
    reply: { result: true },
    digest: { length: 40, lowercaseHex: true, rightUser: true, over: { kind: 'exchange-token' } },
  });
  expect(facts.inClear).toBeUndefined();
  expect(facts.patientData).toBeUndefined();
  expect(Object.values(facts.fresh ?? {}).map(({ kind }) => kind)).toEqual([
    'exchange-token',
    'session-token',
  ]);
});

test('a token is fresh once', () => {
  const known = knowledge();
  observe(exchange(right()), known);
  expect(observe(exchange(right()), known).fresh).toBeUndefined();
});

test.each([
  ['no id', { id: undefined }, { idType: 'absent' }],
  ['null as id', { id: null }, { idType: 'null' }],
  ['an object as id', { id: {} }, { idType: 'object' }],
  ['a fraction as id', { id: 1.5 }, { idType: 'number', id: '1.5' }],
  ['no jsonrpc', { jsonrpc: undefined }, { jsonrpc: 'absent' }],
  ['a number as jsonrpc', { jsonrpc: 2 }, { jsonrpc: 'integer' }],
  ['params by position', { params: [1] }, { params: { '': 'array' } }],
] as const)('%s is stated', (_what, change, stated) => {
  expect(observe(exchange({ ...right(), ...change }), knowledge()).call).toMatchObject(stated);
});

test('wrong types of ttl and tokens are stated', () => {
  const { params } = right();
  const wrong = { exchangeToken: 5, authInfo: { ...params.authInfo, ttl: '60' } };
  const facts = observe(exchange({ ...right(), params: wrong, cred: { token: null } }), knowledge());
  expect(facts).toMatchObject({
    call: {
      authInfo: { ttl: 'string' },
      params: { exchangeToken: 'integer' },
      cred: { token: 'null' },
      ttl: undefined,
      exchangeToken: undefined,
    },
  });
  expect(facts.digest).toBeUndefined();
});

test('the life of a session is stated in minutes, of calls and sign-ins', () => {
  const known = knowledge();
  known.ttlsPerMinute = 60;
  expect(observe(exchange(right()), known).call?.ttl).toBe(1);
  const answer = response('{"result":{"authInfo":{"user":"ann","token":"t","ttl":90}}}');
  const signIn = exchange({ method: 'auth.confirm_otp' }, { link: 'client->auth', response: answer });
  expect(observe(signIn, known).reply).toEqual({ result: true, ttl: 1.5 });
});

test.each(['', 'no JSON', '[]', 'null', '7', '{"method":5}'])('%j is no call', (body) => {
  expect(observe(exchange(body), knowledge())).toEqual({});
});

test('a digest over a user_sign names its owner, and a wrong one its mistake', () => {
  const known = knowledge();
  known.learnSign('sign-of-ben', 'ben');
  const call = {
    ...right(),
    method: 'embedded_storage.save_auth_info',
    params: { authInfo: right().params.authInfo },
  };
  const factsFor = (token: string) =>
    observe(exchange({ ...call, cred: { user: 'other', token } }), known).digest;
  expect(factsFor(digest(PASSWORD, 'sign-of-ben'))).toMatchObject({
    rightUser: false,
    over: { kind: 'user-sign', owner: known.pseudonyms.learn('user', 'ben') },
  });
  expect(factsFor(digest(PASSWORD, 'sign-of-ben').toUpperCase())).toMatchObject({
    lowercaseHex: false,
    explained: 'it is in upper case (the secret being a user_sign)',
  });
  expect(factsFor('0'.repeat(40))).toEqual({ length: 40, lowercaseHex: true, rightUser: false });
});

test('a signature belongs to the user of the session or of the exchange token', () => {
  const known = knowledge();
  observe(exchange(right()), known);
  const ask = (call: object, sign: string) => {
    const answer = response(JSON.stringify({ result: { user_sign: sign } }));
    observe(exchange(call, { link: 'client->ehr', response: answer }), known);
  };
  ask({ method: 'embedded_storage.authenticate', params: { exchangeToken: TOKEN } }, 'sign-of-ann');
  ask({ method: 'patient.get_patient', cred: { user: 'cid', token: 't' } }, 'sign-of-cid');
  expect([...known.signs]).toEqual([
    ['sign-of-ann', 'ann'],
    ['sign-of-cid', 'cid'],
  ]);
});

test.each([
  ['the internal password in the request line', { path: `/?p=${encodeURIComponent(PASSWORD)}` }],
  ['the internal password in the header x-p', { headers: [['X-P', PASSWORD]] }],
  [
    'the internal password in the header authorization',
    { headers: [['Authorization', `Basic ${Buffer.from(`auth:${PASSWORD}`).toString('base64')}`]] },
  ],
  ['the internal password in the body', { body: JSON.stringify({ p: PASSWORD }).replace('ä', '\\u00e4') }],
  ['a user_sign in the body', { body: 'sign=sign-of-ann' }],
] as [string, Partial<RawExchange['request']>][])('%s is stated', (stated, change) => {
  const known = knowledge();
  known.learnSign('sign-of-ann', 'ann');
  expect(observe(exchange('', { request: request(change) }), known).inClear).toEqual([stated]);
});

test('patient data is stated on every link but that of client and EHR server', () => {
  const body = JSON.stringify({ method: 'm', params: { surname: 'QUOKKA' } });
  expect(observe(exchange(body), knowledge()).patientData).toEqual([
    'the surname in the request body, plain',
  ]);
  expect(observe(exchange(body, { link: 'client->auth' }), knowledge()).patientData).toHaveLength(1);
  expect(observe(exchange(body, { link: 'client->ehr' }), knowledge()).patientData).toBeUndefined();
});

test.each([
  [1, { params: { note: 'Quokka' } }],
  [1, { params: { note: 'a Quokka-Smith' } }],
  [1, { params: { phone: 'Quokka' } }],
  [1, { params: { Quokka: 1 } }],
  [1, { params: { email: 'quokka@example.org' }, cred: { user: 'ann' } }],
  [1, { params: { email: 'ann@example.org', note: 'quokka@example.org' } }],
  [1, { params: { note: 123456 } }],
  [1, { params: { phone: '1', note: 123456 } }],
  [1, { params: { note: 'AnnQuokka1985' } }],
  [0, { params: { number: '79991234567' } }],
  [0, { params: { quokka: 1 } }],
  [0, { method: 'auth.quokka' }],
  [0, { params: { email: 'quokka@example.org', code: '123456' } }],
])('of the values of a patient %i count in %j', (count, call) => {
  const values = new Map([
    ['Quokka', 'the surname'],
    ['123456', 'the card'],
  ]);
  const known = new Knowledge('auth', PASSWORD, values);
  expect(observe(exchange(call, { link: 'client->auth' }), known).patientData ?? []).toHaveLength(count);
});

test('a batch of one, and its reply, are read like a single call', () => {
  const batch = response(`[${RESULT}]`);
  const single = observe(exchange(right(), { response: response(RESULT) }), knowledge());
  expect(observe(exchange([right()], { response: batch }), knowledge())).toEqual(single);
  // A list does not answer a single call, and of two calls neither is the only one.
  expect(observe(exchange(right(), { response: batch }), knowledge()).reply).toBeUndefined();
  expect(observe(exchange([right(), right()]), knowledge()).call).toBeUndefined();
});

test.each([
  ['the session token in the path', { path: '/1.0/?token=session-of-ann' }],
  [
    'the session token in the header authorization',
    { headers: [['Authorization', 'Bearer session-of-ann']] },
  ],
  [
    'the session token in the header x-call',
    { headers: [['X-Call', btoa('user=ann;token=session-of-ann')]] },
  ],
  ['the exchange token in the header cookie', { headers: [['Cookie', `a=1; ticket=${TOKEN}; b=2`]] }],
  ['the exchange token in the path', { path: `/1.0/${encodeURIComponent(TOKEN)}/` }],
] as [string, Partial<RawExchange['request']>][])('%s is stated as beside the body', (what, more) => {
  const sent = exchange(right());
  expect(observe({ ...sent, request: { ...sent.request, ...more } }, knowledge()).besideBody).toEqual([what]);
});

test('other headers and a query of its own are no tokens', () => {
  const sent = exchange(right());
  const other = { path: '/1.0/?from=auth', headers: [['User-Agent', 'ann']] as [string, string][] };
  expect(
    observe({ ...sent, request: { ...sent.request, ...other } }, knowledge()).besideBody,
  ).toBeUndefined();
});
