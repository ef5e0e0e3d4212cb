import { type IncomingHttpHeaders, request } from 'node:http';
import { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '#service/http/testing.ts';
import { proves } from '#testing/proves.ts';
import type { RawExchange } from '../../../engine/journal/entry.ts';
import { straysOf } from '../../../engine/report/scenarios.ts';
import { people } from '../people/people.ts';
import { openPlay } from '../self-test/self-test.ts';
import type { ClientWorld } from '../world.ts';
import { type Callee, EHR_METHODS } from './calls.ts';
import { strangerIn, visitorsOf } from './client-proxy.ts';
import { faultsOf } from './messages.ts';
import { ScenarioMemory } from './scenario-memory.ts';

const CALL = JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'embedded_storage.save_auth_info' });
const HOST = 'its Host is not the address of the kit, nor among `hosts` of the file';
const ORIGIN = 'its Origin is not that of the client, nor among `origins` of the file';
const NAMED = { hosts: ['Kit.Example'], origins: ['https://app.example', 'null'] };
const PAGE = { hosts: ['fd00::1'], browser: { address: 'http://clinic.example:8080' } };

test.each<[headers: IncomingHttpHeaders, reason: string | undefined, file?: object]>([
  [{ host: 'evil.example' }, HOST],
  [{ host: '192.0.2.1:4100' }, HOST],
  [{ origin: 'http://evil.example' }, ORIGIN],
  [{ origin: 'http://localhost.evil.example' }, ORIGIN],
  [{ origin: 'null' }, ORIGIN],
  [{ host: 'evil.example', origin: 'http://evil.example' }, HOST],
  [{}, undefined],
  [{ origin: 'http://localhost:5173' }, undefined],
  [{ origin: 'capacitor://localhost' }, undefined],
  [{ host: 'kit.example:80', origin: 'https://app.example' }, undefined, NAMED],
  [{ origin: 'null' }, undefined, NAMED],
  [{ host: '[fd00::1]:4100', origin: 'http://clinic.example:8080' }, undefined, PAGE],
  [{ host: '[fd00::2]:4100' }, HOST, PAGE],
  [{ origin: 'http://evil.example' }, ORIGIN, PAGE],
])('a request with %j is refused because of %j', (headers, reason, file) => {
  const visitors = visitorsOf({ hosts: [], origins: [], ...file });
  expect(strangerIn({ headers, socket: new Socket() }, visitors)).toBe(reason);
});

async function openRun() {
  const run = await openPlay();
  onTestFinished(() => run.close());
  return run;
}

/** Posts as a page does. Node's fetch sets no foreign Host. */
function post(url: string, headers: object, body = CALL): Promise<{ status: number; allowed: unknown }> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'Content-Type': 'text/plain', ...headers } };
    const sent = request(url, options, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      answer.resume().on('end', () => resolve({ status, allowed: headers['access-control-allow-origin'] }));
    });
    sent.on('error', reject).end(body);
  });
}

async function judged(...pages: readonly object[]) {
  const run = await openRun();
  const answers: { status: number; allowed: unknown }[] = [];
  const play = async (world: ClientWorld) => {
    await world.act('signs in', { do: 'signIn', phone: people.darya.signIn })();
    for (const headers of pages)
      for (const url of [run.urls.auth, `${run.urls.ehr}/1.0-alpha/`]) answers.push(await post(url, headers));
  };
  await run.play({ id: 'visited', title: 'visited', play, checks: [] });
  const entries = run.recorder.entries();
  const observed = entries.filter(({ kind }) => kind === 'observation');
  return { answers, observed, strays: straysOf(entries).map(({ link, because }) => [link, because]) };
}

proves(['T-page-4'], 'posts of a foreign page are refused, listed, not judged and not readable', async () => {
  const { answers, observed, strays } = await judged({ Host: 'evil.example' }, { Origin: 'null' });
  expect(answers).toEqual(Array(4).fill({ status: 403, allowed: undefined }));
  expect(observed).toEqual([]);
  expect(strays).toEqual(
    [HOST, ORIGIN].flatMap((why) => [
      ['client->auth', why],
      ['client->ehr', why],
    ]),
  );
});

test('the preflight of a foreign page is refused and listed', async () => {
  const { urls, recorder } = await openRun();
  const headers = { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' };
  const preflight = await fetch(urls.auth, { method: 'OPTIONS', headers });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  expect(straysOf(recorder.entries()).map(({ call }) => call)).toEqual(['OPTIONS /']);
});

test('the client itself is answered and judged, with and without an Origin', async () => {
  const origin = 'http://localhost:5173';
  const { answers, observed, strays } = await judged({}, { Origin: origin });
  expect(answers.map(({ status }) => status)).not.toContain(403);
  expect(answers.map(({ allowed }) => allowed)).toEqual([undefined, undefined, origin, origin]);
  expect(observed.length).toBeGreaterThan(0);
  expect(strays).toEqual([]);
});

test('a body above four megabytes is refused, at its length or without one', async () => {
  const { urls, recorder } = await openRun();
  const large = ' '.repeat(4 * 1024 * 1024 + 1);
  expect((await post(urls.auth, {}, large)).status).toBe(413);
  const { socket, until } = await openConnection(Number(new URL(urls.ehr).port));
  socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(`${large.length.toString(16)}\r\n${large}\r\n`);
  await until(/^HTTP\/1\.1 413 /);
  const kept = recorder.entries().flatMap((entry) => (entry.kind === 'exchange' ? [entry.request.body] : []));
  expect(kept).toEqual(['', '']);
});

const SESSION = { user: 'user', token: 'token' };
const FORM = {
  name: 'Ann Lee',
  surname: 'O’Hara',
  date: '1985-04-12',
  phone: '+7 (916) 111-22-33',
  gender: 0,
};
const SIGN = 'a-signature';
const HANDED = { authInfo: SESSION, exchangeToken: 'given', user_sign: SIGN };
const { read } = EHR_METHODS;

function handedOut(...results: readonly object[]): ScenarioMemory {
  const memory = new ScenarioMemory();
  memory.typed.push(FORM);
  for (const result of results) memory.learn(JSON.stringify({ result }));
  return memory;
}

function broken(to: Callee, members: object, memory = handedOut(HANDED)): string[] {
  const body = JSON.stringify({ jsonrpc: '2.0', id: '1', ...members });
  const headers: [string, string][] = [['content-type', 'application/json']];
  const request = { method: 'POST', path: to === 'ehr' ? '/1.0-alpha/' : '/', headers, body };
  const faults = faultsOf(to, { request } as RawExchange, memory.known(to), '1.0-alpha');
  return faults.map(({ rule, what }) => `${rule}: ${what}`);
}

const NO_OBJECT = ['params: params is no object'];

test.each(['constructor', '__proto__', 'toString'])('a call of the method %s is judged', (method) => {
  const found = broken('ehr', { method, params: [1], cred: SESSION });
  expect(found).toEqual(NO_OBJECT);
});

const DAY_TYPED = 'and "9999-99-99" was typed';
const PHONE_TYPED = 'and "+9 (999) 999-99-99" was typed';
const dateForm = (shape: string) => `date-form: date has the form "${shape}", ${DAY_TYPED}`;

test.each<[properties: object, broken: string[], more?: object]>([
  [{}, []],
  // Clients of the field send null where there is no cred.
  [{}, [], { cred: null, apiKey: null }],
  [{}, ['no-cred: authenticate has a cred'], { cred: SESSION }],
  [{}, ['no-cred: authenticate has a cred'], { cred: {} }],
  [{ date: '1985-04-12' }, [dateForm('9999-99-99')]],
  [{ date: '1985-04-12T00:00:00.000Z' }, [dateForm('9999-99-99a99:99:99.999a')]],
  [{ date: '1985-04-12 00:00:00Z' }, [dateForm('9999-99-99 99:99:99a')]],
  [{ date: '1985-04-12 00:00:00' }, [dateForm('9999-99-99 99:99:99')]],
  [{ date: '1985-04-11 00:00:00.000' }, ['date: date is another day than was typed']],
  [{ date: '12.04.1985 00:00:00.000' }, [`date: date has the form "99.99.9999 99:99:99.999", ${DAY_TYPED}`]],
  [{ phone: '89161112233' }, []],
  [{ phone: FORM.phone }, [`phone: phone has the form "+9 (999) 999-99-99", ${PHONE_TYPED}`]],
  [
    { phone: '79160000000' },
    [`phone: phone has the form "99999999999", ${PHONE_TYPED}: it is another number`],
  ],
  [{ gender: undefined }, []],
  [{ gender: null }, []],
  [{ gender: 9 }, []],
  [{ gender: '0' }, ['gender: gender has the form "9"']],
  [{ name: undefined, phone: null }, []],
  // Blanks, case and the kind of Unicode composition do not change a name.
  [{ surname: FORM.surname.toUpperCase() }, []],
  [{ name: ' Ann  Lee ' }, []],
  [{ name: 'Ann' }, ['names: name has the form "aaa", and "aaa aaa" was typed']],
])('the properties %j in authenticate break %j', (properties, rules, more = {}) => {
  const { name, surname } = FORM;
  const right = { name, surname, date: '1985-04-12 00:00:00.000', phone: '79161112233', gender: 0 };
  const params = { exchangeToken: 'given', patientProperties: { ...right, ...properties } };
  expect(broken('ehr', { method: EHR_METHODS.authenticate, params, ...more })).toEqual(rules);
});

const INTERNAL = 'embedded_storage.save_auth_info';
const UNGIVEN = 'the signature is not one that the EHR server gave';
const NOT_TYPED = 'code-typed: code has the form "9", and is not what was typed';

test.each<[to: Callee, method: string, params: unknown, broken: string[]]>([
  ['ehr', read, undefined, []],
  ['ehr', read, [], ['params-form: params is an empty list']],
  ['ehr', read, {}, []],
  ['auth', 'auth.exchange_token', undefined, []],
  ['auth', 'auth.exchange_token', [], []],
  ['ehr', read, [1], NO_OBJECT],
  ['ehr', read, 'none', NO_OBJECT],
  ['ehr', read, null, NO_OBJECT],
  ['auth', 'auth.report_link', { user_sign: SIGN }, []],
  ['auth', 'auth.report_link', { user_sign: 'x' }, [`user-sign: ${UNGIVEN}`]],
  [
    'auth',
    'auth.confirm_otp',
    { ehr_user_sign: 'x', code: '1' },
    [NOT_TYPED, `user-sign-unknown: ${UNGIVEN}`],
  ],
  ['auth', 'auth.logout', [1], []],
  [
    'ehr',
    'auth.authenticate',
    {},
    ['method: the EHR server has no such method, and has embedded_storage.authenticate'],
  ],
  ['ehr', 'rpc.discover', {}, []],
  ['auth', INTERNAL, {}, [`method: the method ${INTERNAL} is not for a client to call there`]],
  ['ehr', INTERNAL, {}, [`method: the method ${INTERNAL} is not for a client to call there`]],
])('at the %s server %s with %j breaks %j', (to, method, params, rules) => {
  expect(broken(to, { method, cred: SESSION, params })).toEqual(rules);
});

test('a beacon to another path is no call, and its code is found', () => {
  const memory = handedOut(HANDED);
  memory.note({ do: 'enterCode', code: '123456' });
  const rulesOf = (path: string, body: string) => {
    const request = { httpVersion: '1.1', method: 'POST', path, headers: [], body };
    return faultsOf('ehr', { link: 'client->ehr', request }, memory.known('ehr'), '1.0-alpha').map(
      ({ rule }) => rule,
    );
  };
  expect(rulesOf('/seen', '{"seen":true}')).toEqual([]);
  expect(rulesOf('/seen', '{"typed":"123456"}')).toEqual(['code']);
  expect(rulesOf('/seen', CALL)).toEqual(['path', 'method']);
  expect(rulesOf('/1.0-alpha/', 'seen')).toEqual(['post-json']);
});

test.each([
  [{ why: 'It fits nobody.' }],
  [{ why: 'It%20fits%20nobody.' }],
  [{ why: 'patient_not_matched' }],
  [{ why: -34001 }],
])('a refusal of a form, told to the authorization server as %j, is found', (params) => {
  const memory = handedOut(HANDED);
  const error = { code: -34001, message: 'It fits nobody.', data: { reason: 'patient_not_matched' } };
  const rule = 'ehr-words: it has what the EHR server said of a form';
  const call = { method: 'auth.exchange_token', cred: SESSION, params };
  expect(broken('auth', call, memory)).not.toContain(rule);
  memory.conclude('ehr', JSON.stringify({ method: EHR_METHODS.authenticate }), JSON.stringify({ error }));
  expect(broken('auth', call, memory)).toContain(rule);
  expect(broken('auth', { ...call, params: { why: 'a-340012' } }, memory)).not.toContain(rule);
});

test('the session of an earlier sign-in may be ended, once', () => {
  const sessions = ['one', 'two'].map((token) => ({ authInfo: { user: 'user', token } }));
  const memory = handedOut(...sessions);
  const call = { method: EHR_METHODS.logOut, params: {}, cred: { user: 'user', token: 'one' } };
  expect(broken('ehr', call, memory)).toEqual([]);
  memory.conclude('ehr', JSON.stringify(call), JSON.stringify({ result: {} }));
  expect(broken('ehr', call, memory)).toEqual(['cred: cred.token is not the token of the newest sign-in']);
});
