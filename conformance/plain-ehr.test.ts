import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type PersonaName, personas, propertiesOf } from '#mis-fixtures/personas.ts';
import { example, inDirectory, readReport, runCli } from './testing/cli.ts';
import { type Cred, type PlainEhr, post, type Reply, startPlainEhr } from './testing/plain-parties.ts';

const MINUTE_MS = 60_000;
/** A terminal shows no more lines of a whole run. */
const MAX_LINES = 120;
const SAVE = 'embedded_storage.save_auth_info';
const SAVE_EXCHANGE = 'embedded_storage.save_exchange_token';
const AUTHENTICATE = 'embedded_storage.authenticate';
const GET_PATIENT = 'patient.get_patient';
const LOGOUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';

/** Returns the reason of a refusal, or the patient or `{}` of a success. */
const outcome = ({ error, result }: Reply) => error?.data.reason ?? result?.patient?.id ?? result;
const authInfo = (user: string, token: string, ttl = 60) => ({ authInfo: { user, token, ttl } });
const exchange = (ehr: PlainEhr, exchangeToken: string, { user, token }: Cred) =>
  ehr.save(SAVE_EXCHANGE, { exchangeToken, ...authInfo(user, token) }, exchangeToken);
const authenticate = (ehr: PlainEhr, exchangeToken: string, patientProperties: object) =>
  ehr.call(AUTHENTICATE, { exchangeToken, patientProperties });

/** Links a user to a persona. Returns the cred of the session and the signature. */
async function link(ehr: PlainEhr, user: string, who: PersonaName = 'anna') {
  const cred = { user, token: `token-${user}` };
  await exchange(ehr, `exchange-${user}`, cred);
  const { result } = await authenticate(ehr, `exchange-${user}`, propertiesOf(personas[who]));
  return { cred, userSign: result?.userSign ?? '' };
}

/** The rule that each fault of the twin breaks, as an assertion that holds at the right server. */
const RULES: Record<string, (ehr: PlainEhr) => Promise<void>> = {
  'token-works-twice': async (ehr) => {
    await link(ehr, 'u1');
    const again = await authenticate(ehr, 'exchange-u1', propertiesOf(personas.anna));
    expect(outcome(again)).toBe('exchange_token_unknown');
  },
  'token-never-expires': async (ehr) => {
    await exchange(ehr, 'x', { user: 'u1', token: 't1' });
    await ehr.control('/clock/advance', { milliseconds: 10 * MINUTE_MS });
    expect(outcome(await authenticate(ehr, 'x', propertiesOf(personas.anna)))).toBe('exchange_token_expired');
  },
  'digest-not-verified': async (ehr) => {
    await link(ehr, 'u1');
    expect(outcome(await ehr.save(SAVE, authInfo('u1', 't2'), 'not the signature'))).toBe('not_authorized');
  },
  'other-user-readable': async (ehr) => {
    await link(ehr, 'u1', 'anna');
    const { cred } = await link(ehr, 'u2', 'boris');
    expect(outcome(await ehr.call(GET_PATIENT, {}, { user: 'u1', token: cred.token }))).toBe('not_authorized');
  },
  'logout-keeps-session': async (ehr) => {
    const { cred } = await link(ehr, 'u1');
    expect(outcome(await ehr.call(LOGOUT, {}, cred))).toEqual({});
    expect(outcome(await ehr.call(GET_PATIENT, {}, cred))).toBe('not_authorized');
  },
  'disconnect-keeps-link': async (ehr) => {
    const { cred, userSign } = await link(ehr, 'u1');
    expect(outcome(await ehr.call(DISCONNECT, {}, cred))).toEqual({});
    expect(outcome(await ehr.save(SAVE, authInfo('u1', 't2'), userSign))).toBe('user_unknown');
  },
  'token-saved-again': async (ehr) => {
    const { userSign } = await link(ehr, 'u1');
    expect(outcome(await ehr.save(SAVE, authInfo('u1', 't2'), userSign))).toEqual({ id: expect.any(String) });
    expect(outcome(await ehr.save(SAVE, authInfo('u1', 't2'), userSign))).toBe('token_already_stored');
  },
  'one-of-several': async (ehr) => {
    await exchange(ehr, 'x', { user: 'u1', token: 't1' });
    expect(outcome(await authenticate(ehr, 'x', propertiesOf(personas.namesakes)))).toBe('patient_not_matched');
  },
  'guesses-not-counted': async (ehr) => {
    await exchange(ehr, 'x', { user: 'u1', token: 't1' });
    for (let tries = 0; tries < 5; tries += 1)
      await authenticate(ehr, 'x', { ...propertiesOf(personas.anna), name: 'Eve' });
    expect(outcome(await authenticate(ehr, 'x', propertiesOf(personas.anna)))).toBe('exchange_token_exhausted');
  },
  'one-error-for-all': async (ehr) => {
    const reply = await ehr.call(AUTHENTICATE, { exchangeToken: 'x' });
    expect(reply.error).toMatchObject({ code: -32602, data: { reason: 'invalid_params' } });
  },
};

test.for(Object.entries(RULES))(
  'the right server keeps the rule that %s breaks, and its twin is seen',
  async ([fault, rule]) => {
    const [right, faulty] = await Promise.all([startPlainEhr(), startPlainEhr({ fault })]);
    await rule(right);
    await expect(rule(faulty)).rejects.toThrow(/expected/);
  },
);

test('linking opens the record at once, its save is recorded once, and the next session needs the signature', async () => {
  const ehr = await startPlainEhr();
  const { cred, userSign } = await link(ehr, 'u1');
  const { result } = await ehr.call(GET_PATIENT, {}, cred);
  expect(result).toMatchObject({ patient: personas.anna.patients[0], user_sign: userSign, userSign });
  expect(userSign).toMatch(/^[\w-]{43}$/);
  const saves = [cred.token, cred.token, 'second', 'second'].map(
    (token) => () => ehr.save(SAVE, authInfo('u1', token), userSign),
  );
  const outcomes: unknown[] = [];
  for (const save of saves) outcomes.push(outcome(await save()));
  const id = { id: expect.any(String) };
  expect(outcomes).toEqual([id, 'token_already_stored', id, 'token_already_stored']);
  expect(outcome(await ehr.call(GET_PATIENT, {}, { user: 'u1', token: 'second' }))).toBe('p-anna');
});

test('a session is alive to its last millisecond, and its token stays taken', async () => {
  const ehr = await startPlainEhr();
  const { cred, userSign } = await link(ehr, 'u1');
  await ehr.save(SAVE, authInfo('u1', 'long', 600), userSign);
  await ehr.control('/clock/advance', { milliseconds: 59 * MINUTE_MS });
  expect(outcome(await ehr.call(GET_PATIENT, {}, cred))).toBe('p-anna');
  await ehr.control('/clock/advance', { milliseconds: MINUTE_MS });
  expect(outcome(await ehr.call(GET_PATIENT, {}, cred))).toBe('session_expired');
  expect(outcome(await ehr.save(SAVE, authInfo('u1', cred.token), userSign))).toBe('token_already_stored');
  expect(outcome(await ehr.call(GET_PATIENT, {}, { user: 'u1', token: 'long' }))).toBe('p-anna');
});

test('each persona is matched as it types, by card too, and the forms of the field are taken', async () => {
  const ehr = await startPlainEhr();
  for (const who of ['anna', 'alyoshin', 'nunez', 'boris'] as const) {
    const { cred } = await link(ehr, who, who);
    expect([who, outcome(await ehr.call(GET_PATIENT, {}, cred))]).toEqual([who, personas[who].patients[0]?.id]);
  }
  await exchange(ehr, 'x', { user: 'rufus', token: 'token-rufus' });
  const byCard = { exchangeToken: 'x', searchStrategy: 'MEDCARD', medCardId: '' };
  const { phone } = propertiesOf(personas.rufus);
  expect(outcome(await ehr.call(AUTHENTICATE, { ...byCard, patientProperties: { phone } }))).toBe('invalid_params');
  const found = { ...byCard, medCardId: '123456', patientProperties: { phone: `+${phone} ext. 17` } };
  expect(outcome(await ehr.call(AUTHENTICATE, found))).toBe(personas.rufus.patients[0]?.id);
});

test('what a user may not link is refused by its own reason, and counted', async () => {
  const ehr = await startPlainEhr();
  await link(ehr, 'u1', 'anna');
  await exchange(ehr, 'a', { user: 'u2', token: 't2' });
  expect(outcome(await authenticate(ehr, 'a', propertiesOf(personas.anna)))).toBe('patient_already_linked');
  await exchange(ehr, 'b', { user: 'u1', token: 't3' });
  expect(outcome(await authenticate(ehr, 'b', propertiesOf(personas.boris)))).toBe('patient_already_matched');
  expect(outcome(await exchange(ehr, 'c', { user: 'u2', token: 'token-u1' }))).toBe('token_already_stored');
  expect(outcome(await exchange(ehr, 'a', { user: 'u2', token: 't2' }))).toBe('exchange_token_already_stored');
});

test('a user, and a phone, have 20 failed matches an hour, however many exchange tokens take part', async () => {
  const ehr = await startPlainEhr();
  const wrong = { ...propertiesOf(personas.anna), surname: 'Nobody' };
  const attempt = async (user: string, exchangeToken: string, form: object) => {
    await exchange(ehr, exchangeToken, { user, token: `for ${exchangeToken}` });
    return outcome(await authenticate(ehr, exchangeToken, form));
  };
  for (let tries = 0; tries < 20; tries += 1)
    expect(await attempt('u1', `x${tries}`, wrong)).toBe('patient_not_matched');
  expect(await attempt('u1', 'same user', propertiesOf(personas.boris))).toBe('too_many_failed_matches');
  expect(await attempt('u2', 'same phone', propertiesOf(personas.anna))).toBe('too_many_failed_matches');
  await ehr.control('/clock/advance', { milliseconds: 60 * MINUTE_MS });
  expect(await attempt('u2', 'an hour later', propertiesOf(personas.anna))).toBe('p-anna');
});

test('pending exchange tokens are five a session, and end with it', async () => {
  const ehr = await startPlainEhr();
  const { cred } = await link(ehr, 'u1');
  for (const token of ['x0', 'x1', 'x2', 'x3', 'x4', 'x5']) await exchange(ehr, token, cred);
  expect(outcome(await authenticate(ehr, 'x0', propertiesOf(personas.anna)))).toBe('exchange_token_unknown');
  expect(outcome(await authenticate(ehr, 'x1', propertiesOf(personas.anna)))).toBe('p-anna');
  await ehr.call(LOGOUT, {}, cred);
  expect(outcome(await authenticate(ehr, 'x5', propertiesOf(personas.anna)))).toBe('exchange_token_unknown');
});

test('each channel serves its own methods, and an exchange token beside authInfo signs no session', async () => {
  const ehr = await startPlainEhr();
  await link(ehr, 'u1');
  expect(outcome(await ehr.call(SAVE, authInfo('u1', 't2')))).toBe('access_forbidden');
  expect(outcome(await ehr.save(GET_PATIENT, {}, ''))).toBe('access_forbidden');
  const smuggled = { ...authInfo('u1', 't2'), exchangeToken: 'mine' };
  expect(outcome(await ehr.save(SAVE, smuggled, 'mine'))).toBe('not_authorized');
});

/** Bodies, each with the reply to it. */
const BODIES: readonly [title: string, body: string, reply: unknown][] = [
  ['no JSON', '{', { id: null, reason: 'parse_error' }],
  ['a name twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}', { id: null, reason: 'invalid_request' }],
  ['an empty batch', '[]', { id: null, reason: 'invalid_request' }],
  ['a batch of 101', `[${Array(101).fill('1').join()}]`, { id: null, reason: 'invalid_request' }],
  ['no envelope', '{"id":7}', { id: '7', reason: 'invalid_request' }],
  ['an unknown method', '{"jsonrpc":"2.0","id":"a","method":"toString"}', { id: 'a', reason: 'method_not_found' }],
  [
    'no cred, and null as id',
    '{"jsonrpc":"2.0","id":null,"method":"patient.get_patient","params":[],"cred":null,"apiKey":null}',
    { id: null, reason: 'not_authorized' },
  ],
];

test.for(BODIES)('%s is answered as JSON-RPC says', async ([, body, expected]) => {
  const ehr = await startPlainEhr();
  const response = await post(`${ehr.url}/1.0-alpha`, body);
  const { id, error } = (await response.json()) as Reply;
  expect([response.status, { id, reason: error?.data.reason }]).toEqual([200, expected]);
});

test('a batch is answered in its order, and notifications are carried out unanswered', async () => {
  const ehr = await startPlainEhr();
  const { cred } = await link(ehr, 'u1');
  const call = (id: number | undefined, method: string) => ({ jsonrpc: '2.0', id, method, params: {}, cred });
  const send = (body: unknown) => post(`${ehr.url}/1.0-alpha/`, JSON.stringify(body));
  const replies = (await (
    await send([call(1, GET_PATIENT), call(undefined, LOGOUT), call(2, GET_PATIENT)])
  ).json()) as Reply[];
  expect(replies.map((reply) => [reply.id, outcome(reply)])).toEqual([
    ['1', 'p-anna'],
    ['2', 'not_authorized'],
  ]);
  const notification = await send(call(undefined, GET_PATIENT));
  expect([notification.status, await notification.text()]).toEqual([204, '']);
});

test('what never reaches JSON-RPC has its own HTTP status and a JSON body', async () => {
  const ehr = await startPlainEhr();
  const url = `${ehr.url}/1.0-alpha/`;
  const requests = [
    fetch(`${ehr.url}/2.0/`, { method: 'POST' }),
    fetch(url),
    post(url, '{}', { 'content-type': 'text/plain' }),
    post(url, ' '.repeat(1024 * 1024 + 1)),
  ];
  const replies = await Promise.all(requests);
  expect(replies.map(({ status }) => status)).toEqual([404, 405, 415, 413]);
  for (const reply of replies) expect(await reply.json()).toMatchObject({ apiVersion: '1.0-alpha' });
  expect(replies[1]?.headers.get('allow')).toContain('POST');
});

test('a listed origin may call with credentials, and no other origin may', async () => {
  const ehr = await startPlainEhr({ flags: ['--origins', 'http://app.test', '--api-version', ''] });
  const allowed = async (url: string, origin: string) => {
    const { headers } = await fetch(url, { method: 'OPTIONS', headers: { origin } });
    return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
  };
  expect(await allowed(`${ehr.url}/`, 'http://app.test')).toEqual(['http://app.test', 'true']);
  expect(await allowed(`${ehr.url}/`, 'http://other.test')).toEqual([null, null]);
  expect(await allowed(`${ehr.internalUrl}/`, 'http://app.test')).toEqual([null, null]);
});

test('a reset forgets all but the patients, and the server ends cleanly', async () => {
  const ehr = await startPlainEhr();
  const { cred } = await link(ehr, 'u1');
  expect((await ehr.control('/reset')).status).toBe(204);
  expect(outcome(await ehr.call(GET_PATIENT, {}, cred))).toBe('not_authorized');
  expect(outcome(await ehr.call(GET_PATIENT, {}, (await link(ehr, 'u1')).cred))).toBe('p-anna');
  expect(await ehr.stop()).toBe(0);
});

test('without patients or the internal password it says what is missing, and --help lists the flags', () => {
  const start = (...flags: string[]) =>
    spawnSync(process.execPath, [example('plain-ehr/server.mjs'), ...flags], { encoding: 'utf8' });
  expect(start()).toMatchObject({ status: 2, stderr: expect.stringContaining('are needed') });
  expect(start('--wrong')).toMatchObject({ status: 2, stderr: expect.stringContaining('--wrong') });
  expect(start('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--patients FILE') });
});

test('ten faults of an EHR server are told as fourteen causes at most, on one screen', { timeout: 300_000 }, () =>
  inDirectory(async (directory) => {
    const { code, output } = await runCli(
      ...['ehr-server', '--config', example('plain-ehr-faulty.yaml'), '--report', directory],
    );
    expect(code).toBe(1);
    const { causes, verdicts } = readReport(directory);
    const red = verdicts.filter(({ outcome }) => !['pass', 'not applicable'].includes(outcome));
    expect(red.length).toBeGreaterThan(60);
    expect(causes.length).toBeGreaterThanOrEqual(5);
    expect(causes.length).toBeLessThanOrEqual(14);
    expect(causes.flatMap(({ checks }) => checks).sort()).toEqual(red.map(({ check }) => check).sort());
    // The advice is that of the cause: that a read is refused is not mended by a header.
    const cached = causes.find(({ checks }) => checks.includes('record-not-cached'));
    expect(cached?.advice).toContain('Find out why this step is not done');
    expect(output).not.toContain('Cache-Control');
    expect(output.split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  }),
);
