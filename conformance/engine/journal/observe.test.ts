import { expect, test } from 'vitest';
import { digest } from '#protocol/wire/digest.ts';
import { observe, type RawExchange } from './observe.ts';
import { Knowledge } from './secrets/knowledge.ts';

const PASSWORD = 'hidden-pässword';
const knowledge = () => new Knowledge('auth', PASSWORD, new Map([['Quokka', 'the surname']]));
const TOKEN = 'exchange-token-of-ann';
const right = () => ({
  jsonrpc: '2.0',
  id: 3 as unknown,
  method: 'embedded_storage.save_exchange_token',
  params: { exchangeToken: TOKEN as unknown, authInfo: { user: 'ann', token: 'session-of-ann', ttl: 60 as unknown } },
  cred: { user: 'auth', token: digest(PASSWORD, TOKEN) as unknown },
});
const exchange = (call: unknown, more: Partial<RawExchange> = {}): RawExchange => ({
  link: 'auth->ehr',
  request: {
    httpVersion: '1.1',
    method: 'POST',
    path: '/',
    headers: [],
    body: typeof call === 'string' ? call : JSON.stringify(call),
  },
  ...more,
});

test('of a right call everything is stated that checks go by', () => {
  const response = {
    status: 200,
    headers: [] as [string, string][],
    body: '{"jsonrpc":"2.0","result":{"id":"r"},"id":"3"}',
  };
  const facts = observe(exchange(right(), { response }), knowledge());
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
  expect(Object.values(facts.fresh ?? {}).map(({ kind }) => kind)).toEqual(['exchange-token', 'session-token']);
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

test('a ttl that is text, and a token that is none, are stated by their types', () => {
  const call = right();
  call.params.authInfo.ttl = '60';
  call.params.exchangeToken = 5;
  call.cred.token = null;
  const facts = observe(exchange(call), knowledge());
  expect(facts.call).toMatchObject({
    authInfo: { ttl: 'string' },
    params: { exchangeToken: 'integer' },
    cred: { token: 'null' },
  });
  expect(facts.call).not.toHaveProperty('ttl');
  expect(facts.call).not.toHaveProperty('exchangeToken');
  expect(facts.digest).toBeUndefined();
});

test.each(['', 'no JSON', '[]', 'null', '7', '{"method":5}'])('%j is no call', (body) => {
  expect(observe(exchange(body), knowledge())).toEqual({});
});

test('a digest over a user_sign names its owner, and a wrong one its mistake', () => {
  const known = knowledge();
  known.learnSign('sign-of-ben', 'ben');
  const call = { ...right(), method: 'embedded_storage.save_auth_info', params: { authInfo: right().params.authInfo } };
  const factsFor = (token: string) => observe(exchange({ ...call, cred: { user: 'other', token } }), known).digest;
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

test('the signature that the EHR server gives belongs to the user of the session or of the exchange token', () => {
  const known = knowledge();
  observe(exchange(right()), known);
  const answer = (sign: string) => ({
    status: 200,
    headers: [] as [string, string][],
    body: JSON.stringify({ result: { user_sign: sign } }),
  });
  const ask = (call: object, sign: string) =>
    observe(exchange(call, { link: 'client->ehr', response: answer(sign) }), known);
  ask({ method: 'embedded_storage.authenticate', params: { exchangeToken: TOKEN } }, 'sign-of-ann');
  ask({ method: 'patient.get_patient', cred: { user: 'cid', token: 't' } }, 'sign-of-cid');
  expect([...known.signs]).toEqual([
    ['sign-of-ann', 'ann'],
    ['sign-of-cid', 'cid'],
  ]);
});

test.each([
  ['the request line', { path: `/?p=${encodeURIComponent(PASSWORD)}` }, 'the internal password in the request line'],
  ['a header', { headers: [['X-P', PASSWORD]] as [string, string][] }, 'the internal password in the header x-p'],
  [
    'HTTP Basic',
    {
      headers: [['Authorization', `Basic ${Buffer.from(`auth:${PASSWORD}`).toString('base64')}`]] as [string, string][],
    },
    'the internal password in the header authorization',
  ],
  ['the body', { body: JSON.stringify({ p: PASSWORD }).replace('ä', '\\u00e4') }, 'the internal password in the body'],
  ['the body', { body: 'sign=sign-of-ann' }, 'a user_sign in the body'],
] as const)('a secret in clear in %s is stated', (_where, change, stated) => {
  const known = knowledge();
  known.learnSign('sign-of-ann', 'ann');
  const whole = exchange('');
  expect(observe({ ...whole, request: { ...whole.request, ...change } }, known).inClear).toEqual([stated]);
});

test('patient data is stated where it must not be, and not between client and EHR server', () => {
  const body = JSON.stringify({ method: 'm', params: { surname: 'QUOKKA' } });
  expect(observe(exchange(body), knowledge()).patientData).toEqual(['the surname in the request body, plain']);
  expect(observe(exchange(body, { link: 'client->auth' }), knowledge()).patientData).toHaveLength(1);
  expect(observe(exchange(body, { link: 'client->ehr' }), knowledge()).patientData).toBeUndefined();
});

test('a batch of one is read like the call that it carries, and its reply like that of the call', () => {
  const alone = {
    status: 200,
    headers: [] as [string, string][],
    body: '{"jsonrpc":"2.0","result":{"id":"r"},"id":"3"}',
  };
  const batch = { ...alone, body: `[${alone.body}]` };
  const single = observe(exchange(right(), { response: alone }), knowledge());
  expect(observe(exchange([right()], { response: batch }), knowledge())).toEqual(single);
  // A list does not answer a single call, and of two calls neither is the only one.
  expect(observe(exchange(right(), { response: batch }), knowledge()).reply).toBeUndefined();
  expect(observe(exchange([right(), right()]), knowledge()).call).toBeUndefined();
});

test.each([
  ['the session token in the path', { path: '/1.0/?token=session-of-ann' }],
  ['the session token in the header authorization', { headers: [['Authorization', 'Bearer session-of-ann']] }],
  ['the session token in the header x-call', { headers: [['X-Call', btoa('user=ann;token=session-of-ann')]] }],
  ['the exchange token in the header cookie', { headers: [['Cookie', `a=1; ticket=${TOKEN}; b=2`]] }],
  ['the exchange token in the path', { path: `/1.0/${encodeURIComponent(TOKEN)}/` }],
] as [string, Partial<RawExchange['request']>][])('%s is stated as beside the body', (what, more) => {
  const { request } = exchange(right());
  expect(observe(exchange(right(), { request: { ...request, ...more } }), knowledge()).besideBody).toEqual([what]);
});

test('other headers and a query of its own are no tokens', () => {
  const { request } = exchange(right());
  const headers: [string, string][] = [
    ['X-Request-Id', 'c0ffee'],
    ['User-Agent', 'ann'],
  ];
  const other = { ...request, path: '/1.0/?from=auth', headers };
  expect(observe(exchange(right(), { request: other }), knowledge()).besideBody).toBeUndefined();
});
