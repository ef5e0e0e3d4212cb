import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { randomToken, seededRandom } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/hashes.ts';
import type { Entry, ExchangeEntry } from '../entry.ts';
import type { Recorder } from '../recorder.ts';
import { openRecorder, request, response } from '../testing/exchanges.ts';

const patients = new Map([
  ['Quokkabergström', 'the surname'],
  ['48601777', "the patient's phone"],
]);
const recorderWith = (password = 'intérnal p@ss/word') => openRecorder(undefined, { password, patients });

const letters = (alphabet: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: min, maxLength: max });
const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const secrets = fc.record({
  phone: letters('123456789', 11, 12).map((digits) => `+${digits}`),
  code: letters('0123456789', 6, 6).filter((code) => new Set(code).size > 2),
  'session-token': letters(TOKEN, 12, 43),
  'exchange-token': letters(`${TOKEN}+/`, 12, 43),
  'user-sign': letters(`${TOKEN}é "\\`, 12, 43),
  digest: letters('0123456789abcdef', 40, 40),
});
type Secrets = typeof secrets extends fc.Arbitrary<infer T> ? T : never;

/** Puts each secret in each place where one was observed. */
function everywhere(recorder: Recorder, values: Readonly<Record<string, string>>): void {
  for (const link of ['client->auth', 'auth->ehr', 'client->ehr'] as const) {
    for (const value of Object.values(values)) {
      const encoded = encodeURIComponent(value);
      const names = { authInfo: { [value]: 1 } };
      const error = { code: 1, message: `no ${value}`, data: { reason: value } };
      for (const more of [
        { path: `/a/${encoded}/b?x=${encoded}&y=1&z=${encoded}` },
        {
          headers: Object.entries({
            'x-value': value,
            Authorization: `Bearer ${value}`,
            'x-encoded': encoded,
          }),
        },
        { body: JSON.stringify({ method: value, params: { [value]: value, list: [value, { value }] } }) },
        {
          body: JSON.stringify({
            id: value,
            jsonrpc: value,
            method: 'm',
            params: names,
            cred: { [value]: 2 },
          }),
        },
        { body: new URLSearchParams({ value, other: `is ${value}` }).toString() },
        { body: `Your value is ${value}. Or "${value}", (${value})!` },
        {
          body: `forged: ‹code ${value}›`,
          headers: Object.entries({ authorization: `Bearer ‹code ${value}›`, cookie: `s=‹code ${value}›` }),
        },
      ]) {
        const reply = response(JSON.stringify({ error }), { headers: [['set-cookie', `s=${value}`]] });
        recorder.exchange({ link, request: request(more) }).end({ response: reply });
      }
    }
  }
  const step = recorder.step({ scenario: 's', user: 'Ann', step: 'confirmOtp', label: 'sign in' });
  for (const value of Object.values(values)) {
    recorder.outcome(step, { kind: 'done', values: { one: value } }, 1);
    recorder.outcome(step, { kind: 'refused', status: 400, code: value, reason: `it is ${value}` }, 1);
    recorder.outcome(step, { kind: 'failed', what: 'server-error', detail: `HTTP 500: ${value}` }, 1);
    recorder.note(`someone typed ${value}`);
    recorder.beginScenario('s');
    recorder.endScenario('s', { stopped: { because: `because of ${value}`, blame: 'auth server' } });
  }
}

/** The texts in the entries, with escapes and encodings undone: a secret is as raw with a percent sign. */
function texts(entries: readonly Entry[]): string {
  const json = JSON.stringify(entries);
  const plain = json
    .replaceAll('\\\\', '\\')
    .replaceAll('\\"', '"')
    .replaceAll('\\\\', '\\')
    .replaceAll('\\"', '"');
  const decoded = plain.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
  );
  return [json, plain, decoded, decoded.replaceAll('+', ' ')].join('\n');
}

test('no secret stands anywhere in the entries, wherever it crossed', () => {
  fc.assert(
    fc.property(secrets, (values: Secrets) => {
      const recorder = recorderWith();
      for (const [kind, value] of Object.entries(values))
        recorder.knowledge.pseudonyms.learn(kind as 'phone', value);
      everywhere(recorder, { ...values, password: 'intérnal p@ss/word' });
      const kept = texts(recorder.entries());
      for (const value of [...Object.values(values), 'intérnal p@ss/word']) expect(kept).not.toContain(value);
      expect(kept).not.toContain(values.phone.slice(1));
    }),
    { numRuns: 25 },
  );
});

test('masked JSON is JSON, and its other values are the same', () => {
  const big = '1234567890127651094';
  const rows: [body: string, masked: string][] = [
    ['{"error":"\\u0000 or \\n0000"}', '{"error":"\\u0000 or \\n‹code 1›"}'],
    [
      `{"id":${big},"user":${big}5, "code":0, "code" :77777777}`,
      `{"id":"‹user 1›","user":${big}5, "code":0, "code" :"‹code 2›"}`,
    ],
    ['["\\nAbCdEfGhIjKlMnOpQrStUv0"]', '["\\n‹opaque 2›"]'],
  ];
  for (const [body, expected] of rows) {
    const recorder = recorderWith();
    for (const [kind, value] of [
      ['code', '0000'],
      ['code', '77777777'],
      ['user', big],
    ] as const)
      recorder.knowledge.pseudonyms.learn(kind, value);
    recorder.exchange({ link: 'auth->ehr', request: request({ body }) }).end({ response: response(body) });
    const [entry] = recorder.entries();
    expect((entry as ExchangeEntry).response?.body).toBe(expected);
  }
});

test('of a cookie the name and the attributes that guard it stay', () => {
  const recorder = recorderWith();
  recorder.knowledge.pseudonyms.learn('session-token', 'tokenOfTheSession');
  const headers: [string, string][] = [
    ['Set-Cookie', 'sid=tokenOfTheSession; Path=/; HttpOnly; Domain=a.test'],
  ];
  const sent = request({ headers: [['cookie', 'lang=‹code 999›; sid=tokenOfTheSession']] });
  recorder.exchange({ link: 'client->auth', request: sent }).end({ response: response('', { headers }) });
  const [entry] = recorder.entries();
  const { request: asked, response: answered } = entry as ExchangeEntry;
  const line = 'sid=‹session-token 1›; Path=/; HttpOnly; Domain=‹removed, 6 characters›';
  expect(answered?.headers).toEqual([['Set-Cookie', line]]);
  expect(asked.headers).toEqual([['cookie', 'lang=‹removed, 10 characters›; sid=‹session-token 1›']]);
});

test('a value is the same pseudonym wherever it stands, and two values are two', () => {
  fc.assert(
    fc.property(letters(TOKEN, 12, 43), letters(TOKEN, 12, 43), (one, two) => {
      fc.pre(!one.includes(two) && !two.includes(one));
      const recorder = recorderWith();
      const { pseudonyms } = recorder.knowledge;
      const names = [pseudonyms.learn('session-token', one), pseudonyms.learn('session-token', two)];
      expect(names[0]).not.toBe(names[1]);
      for (const [value, name] of [
        [one, names[0]],
        [two, names[1]],
      ] as const) {
        for (const text of ['"V"', '/a/V', 't=V&', 'x V.', 'Bearer V', '(V)', 'pV1']) {
          expect(pseudonyms.mask(text.replace('V', () => value))).toBe(
            text.replace('V', () => name as string),
          );
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('what was masked once is masked no further', () => {
  const { pseudonyms } = recorderWith().knowledge;
  pseudonyms.learn('user', 'user');
  pseudonyms.learn('code', '1234');
  const once = pseudonyms.mask('{"by":"user","code":"1234"} Q7x0Zk2mPb9Rt4Vw8Ys1Lc5Nd');
  expect(once).toBe('{"by":"‹user 1›","code":"‹code 1›"} ‹opaque 1›');
  expect(pseudonyms.mask(once)).toBe(once);
});

test('a token is masked in any alphabet; names, paths and words stay', () => {
  const { pseudonyms } = recorderWith().knowledge;
  const encodings = ['hex', 'base64', 'base64url'] as const;
  for (const drawn of [
    '_kvCNHvUkLJypRYD_MkAnHZF-ONEVVmlCSOKNhhxp_s',
    'EHQLnIrsNgdaeQqaUPHLWKredmr_OwegtowkzOuhYsw',
    'xiSZJNCIZfBGAuvtoCOLTgTSowfzwQRTOBRYhtgFzKM',
    'bP-vUGqsLx_fhjwdWif_boFw-zLKQIEEWrHrxqusqjI',
    ...Array.from({ length: 5_000 }, (_, seed) => randomToken(seededRandom(seed))),
    ...Array.from({ length: 600 }, (_, seed) =>
      Buffer.from(seededRandom(seed)(24 + (seed % 9))).toString(encodings[seed % 3]),
    ),
  ])
    expect(pseudonyms.mask(`{"ticket":"${drawn}"}`)).toMatch(/^\{"ticket":"‹opaque \d+›"\}$/);
  for (const written of [
    'InvalidExchangeTokenError',
    'embeddedStorageSaveAuthInfo',
    'AUTHENTICATION_HAS_EXPIRED',
    '/login/confirm/telephone-number',
    '/api/v1/embedded-storage/2.0/',
    'application/json; charset=utf-8',
    'embedded_storage.save_exchange_token',
    'Content-Security-Policy',
  ])
    expect(pseudonyms.mask(written)).toBe(written);
});

test('words of one beginning are not compared one by one, the newest stay known', () => {
  const { pseudonyms } = recorderWith().knowledge;
  const random = seededRandom(1);
  const words = Array.from({ length: 20_001 }, () => `aaaa${randomToken(random)}`);
  pseudonyms.mask(words.slice(0, 1_000).join(' '));
  const compared = vi.spyOn(String.prototype, 'startsWith');
  onTestFinished(() => compared.mockRestore());
  pseudonyms.mask(words.slice(0, 1_000).join(' '));
  expect(compared.mock.calls.length).toBeLessThan(10_000);
  pseudonyms.mask(words.join(' '));
  expect(pseudonyms.nameOf(words[0] as string)).toBeUndefined();
  expect(pseudonyms.mask(words.at(-1) as string)).toBe('‹opaque 20001›');
});

test('users who are small numbers leave the numbers of a message alone', () => {
  const { pseudonyms } = recorderWith().knowledge;
  for (const user of ['1', '42', '1001']) pseudonyms.learn('user', user);
  const body = '{"jsonrpc":"2.0","id":1001,"ttl":1440,"n":42}';
  expect(pseudonyms.mask(body)).toBe(body);
});

test('a user named by a small number has one pseudonym everywhere', () => {
  const recorder = recorderWith();
  const authInfo = { user: '7', token: 'token-of-seven', ttl: 60 };
  const body = JSON.stringify({ id: 1, method: 'embedded_storage.save_auth_info', params: { authInfo } });
  recorder.exchange({ link: 'auth->ehr', request: request({ body }) }).end();
  const step = recorder.step({ scenario: 's', user: 'Ann', step: 'confirmOtp', label: 'sign in' });
  recorder.outcome(step, { kind: 'done', values: { user: '7', token: 'token-of-seven', ttl: '60' } }, 1);
  const [exchange, , outcome] = recorder.entries() as [ExchangeEntry, Entry, Entry];
  expect(exchange.facts.call).toMatchObject({ user: '‹user 1›', token: '‹session-token 1›', id: '1' });
  expect(outcome).toMatchObject({
    result: { values: { user: '‹user 1›', token: '‹session-token 1›', ttl: '60' } },
  });
});

test('a code is found behind an encoded blank, and not within a longer number', () => {
  const { pseudonyms } = recorderWith().knowledge;
  pseudonyms.learn('code', '123456');
  expect(pseudonyms.mask('at 1123456 code=123456.')).toBe('at 1123456 code=‹code 1›.');
  expect(pseudonyms.mask('?text=code%20123456')).toBe('?text=code%20‹code 1›');
  expect(pseudonyms.mask('1 2 3 4 5 6 or 123-456')).toBe('‹code 1› or ‹code 1›');
});

test('a phone is found as people write it', () => {
  const { pseudonyms } = recorderWith().knowledge;
  pseudonyms.learn('phone', '+79991112233');
  for (const written of ['+79991112233', '79991112233', '%2B79991112233', '+7 (999) 111-22-33']) {
    expect(pseudonyms.mask(`to ${written}.`)).toMatch(/^to (%2B)?‹phone 1›\.$/);
  }
});

test.each(['utf8', 'base64', 'hex'] as const)(
  'patient data and the password are not kept, in %s either',
  (form) => {
    const recorder = recorderWith();
    const secret = { surname: 'Quokkabergström-017', phone: '48601777017', password: 'intérnal p@ss/word' };
    const text = Buffer.from(`xy${JSON.stringify(secret)}`).toString(form);
    const sent = request({
      body: JSON.stringify({ profile: text }),
      path: `/?p=${encodeURIComponent(text)}`,
    });
    for (const link of ['auth->ehr', 'client->auth'] as const)
      recorder.exchange({ link, request: sent }).end();
    const entries = recorder.entries() as ExchangeEntry[];
    expect(entries[0]?.facts.patientData?.length).toBeGreaterThan(0);
    const kept = JSON.stringify(entries.map(({ request }) => request)).toLowerCase();
    for (const needle of ['quokkabergstr', '48601777', 'p@ss', 'p%40ss', text.toLowerCase()])
      expect(kept).not.toContain(needle);
  },
);

test('the names of members are kept between client and EHR server, and no value', () => {
  const recorder = recorderWith();
  const properties = { name: 'Nobody', surname: 'Special', date: '1999-09-09', gender: 1 };
  const link = 'client->ehr';
  const say = (call: object, reply: object) => {
    const sent = request({ body: JSON.stringify(call) });
    recorder.exchange({ link, request: sent }).end({ response: response(JSON.stringify(reply)) });
  };
  say(
    { id: 1, method: 'embedded_storage.authenticate', params: { patientProperties: properties } },
    { result: { patient: properties }, id: 1 },
  );
  say([{ id: 1, params: properties }], [{ result: [properties], id: 1 }]);
  say({ id: 1, params: [properties] }, { result: { patient: [properties] } });
  recorder.exchange({ link, request: request({ body: 'surname=Special' }) }).end();
  const kept = JSON.stringify(recorder.entries());
  for (const value of ['Nobody', 'Special', '1999-09-09']) expect(kept).not.toContain(value);
  expect(kept).toContain('patientProperties');
});

test('secrets of a watched session are known by the names of their members', () => {
  const recorder = recorderWith();
  const sent = (body: string, reply: object, path = '/') => {
    const answer = response(JSON.stringify(reply));
    recorder.exchange({ link: 'client->auth', request: request({ body, path }) }).end({ response: answer });
  };
  sent('{"phone":"+7 999 000","code":"4711"}', { token: 'tok-1', ehr_user_sign: 'sign-1', code: 4712 });
  sent('otp=815815&phone_number=7999888', { exchangeToken: 'short' }, '/?access_token=abcd');
  const kept = JSON.stringify(recorder.entries());
  for (const value of ['+7 999 000', '4711', 'tok-1', 'sign-1', '815815', '7999888', 'short', 'abcd'])
    expect(kept).not.toContain(value);
  expect(kept).toContain('4712');
});

test('a digest is a digest, whatever its member is called', () => {
  const recorder = recorderWith();
  const token = digest('intérnal p@ss/word', 'some-exchange-token');
  const call = {
    method: 'embedded_storage.save_exchange_token',
    params: { exchangeToken: 'some-exchange-token' },
  };
  const body = JSON.stringify({ ...call, cred: { user: 'auth', token } });
  recorder.exchange({ link: 'auth->ehr', request: request({ body }) }).end();
  expect((recorder.entries()[0] as ExchangeEntry).request.body).toContain('"token":"‹digest 1›"');
});

test('the internal password is hidden in any escapes, cut at either end too', () => {
  const password = 'intérnal "p@ss"/wörd 4711';
  const { pseudonyms } = recorderWith(password).knowledge;
  const hexOf = (byte: number) => byte.toString(16).padStart(2, '0');
  const forms: ((text: string) => string)[] = [
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => JSON.stringify(text).slice(1, -1),
    (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
    (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/').replaceAll('é', '\\u00E9'),
    (text) => encodeURIComponent(text),
    (text) => encodeURIComponent(encodeURIComponent(text)),
    (text) => encodeURIComponent(text).replaceAll('%20', '+').toLowerCase(),
    (text) => [...Buffer.from(text)].map((byte) => `%${hexOf(byte)}`).join(''),
    (text) => [...Buffer.from(text, 'latin1')].map((byte) => `%${hexOf(byte).toUpperCase()}`).join(''),
    (text) => text.replaceAll('"', '&quot;').replaceAll('é', '&eacute;').replaceAll('ö', '&#246;'),
    (text) => text.replaceAll('"', '&amp;quot;').replaceAll('/', '&#x2F;'),
    (text) => Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    (text) => Array.from(text, (char) => `\\x${hexOf(char.charCodeAt(0))}`).join(''),
  ];
  for (const form of forms)
    for (const [from, to] of ['00', '01', '03', '10', '30', '23'].map((cut) => Array.from(cut, Number))) {
      const text = `<${form(password.slice(from, password.length - (to ?? 0)))}>`;
      expect(pseudonyms.mask(text), text).toBe('<‹password 1›>');
    }
  const inside = Buffer.from(`xy${password.slice(2, -2)}z`);
  for (const encoding of ['base64', 'base64url', 'hex'] as const)
    expect(pseudonyms.mask(`<${inside.toString(encoding)}>`)).toBe('<‹password 1›>');
});

test('a part of a short password, and words that begin alike, stay', () => {
  const { pseudonyms } = recorderWith('passwort').knowledge;
  expect(pseudonyms.mask('pass passwor asswort is passwort')).toBe('pass passwor asswort is ‹password 1›');
});
