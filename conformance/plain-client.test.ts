import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PersonaName, personas, propertiesOf } from '#mis-fixtures/personas.ts';
import {
  type Call,
  directoryOfTest,
  startMockAuth,
  startNotedServer,
  startPlainClient,
  startPlainEhr,
} from './testing/plain-parties.ts';

const LOGOUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';

/** Starts the plain EHR server, the mock authorization server, and a note of the calls to each. */
async function startServers() {
  const plainEhr = await startPlainEhr();
  const mock = await startMockAuth(plainEhr.internalUrl, ['--without-correspondence', personas.orphan.signIn]);
  const calls: Call[] = [];
  const [ehr, auth] = await Promise.all([
    startNotedServer('ehr', plainEhr.url, calls),
    startNotedServer('auth', mock.url, calls),
  ]);
  return { plainEhr, ehr, auth, calls, newestCode: mock.newestCode };
}
type Servers = Awaited<ReturnType<typeof startServers>>;

/** Starts a client that a persona uses. */
function startPerson(
  servers: Servers,
  who: PersonaName,
  { fault, storage }: { fault?: string; storage?: string } = {},
) {
  const { auth, ehr, newestCode } = servers;
  const flags = ['--auth', auth.url, '--ehr', ehr.url, ...(storage ? ['--storage', storage] : [])];
  const client = startPlainClient(flags, fault);
  const phone = personas[who].signIn;
  const { date, ...form } = propertiesOf(personas[who]);
  const values = { ...form, date: date.slice(0, 10) };
  return {
    ...client,
    values,
    /** Does what needs nothing more to be said. */
    press: (action: string) => client.act({ do: action }),
    async signIn() {
      await client.act({ do: 'signIn', phone });
      return client.act({ do: 'enterCode', code: await newestCode(phone) });
    },
    fillForm: (changes: object = {}) => client.act({ do: 'fillForm', values: { ...values, ...changes } }),
    async link() {
      await this.signIn();
      return this.fillForm();
    },
  };
}
type Person = ReturnType<typeof startPerson>;

const wire = (calls: readonly Call[]) => calls.map(({ to, method }) => `${to} ${method}`);
const textsTo = (to: string, calls: readonly Call[]) => calls.filter((call) => call.to === to).map(({ text }) => text);

/** The rule that each fault of the twin breaks, as an assertion that holds for the right client. */
const RULES: Record<string, (person: Person, servers: Servers) => Promise<void>> = {
  'form-to-auth': async (person, { calls }) => {
    expect(await person.link()).toMatchObject({ sees: 'patient' });
    expect(textsTo('auth', calls).join()).not.toContain(person.values.surname);
  },
  'form-at-any-error': async (person, { ehr }) => {
    await person.link();
    ehr.away = true;
    expect(await person.press('readPatient')).toMatchObject({ sees: 'error' });
  },
  'form-without-asking': async (person, { calls }) => {
    expect(await person.signIn()).toMatchObject({ sees: 'form' });
    expect(wire(calls).at(-1)).toBe('ehr patient.get_patient');
  },
  'link-not-reported': async (person, { calls }) => {
    await person.link();
    expect(wire(calls).at(-1)).toBe('auth auth.report_link');
  },
  'exchange-token-kept': async (person) => {
    await person.link();
    expect(await person.press('disconnect')).toMatchObject({ sees: 'form' });
    expect(await person.fillForm()).toMatchObject({ sees: 'patient' });
  },
  'signature-for-everybody': async (person, { calls, newestCode }) => {
    await person.link();
    await person.press('logout');
    const phone = personas.nunez.signIn;
    await person.act({ do: 'signIn', phone });
    await person.act({ do: 'enterCode', code: await newestCode(phone) });
    expect(calls.findLast(({ method }) => method === 'auth.confirm_otp')?.text).not.toContain('ehr_user_sign');
  },
  'signature-outlives-link': async (person, { calls }) => {
    await person.link();
    await person.press('disconnect');
    await person.press('logout');
    expect(await person.signIn()).toMatchObject({ sees: 'form' });
    expect(calls.findLast(({ method }) => method === 'auth.confirm_otp')?.text).not.toContain('ehr_user_sign');
  },
  'auth-first': async (person, { calls }) => {
    await person.link();
    expect(await person.press('logout')).toMatchObject({ sees: 'signedOut' });
    expect(wire(calls).slice(-2)).toEqual([`ehr ${LOGOUT}`, 'auth auth.logout']);
  },
  'auth-despite-refusal': async (person, { ehr, calls }) => {
    await person.link();
    ehr.away = true;
    expect(await person.press('logout')).toMatchObject({ sees: 'error' });
    expect(wire(calls)).not.toContain('auth auth.logout');
  },
  'reason-swallowed': async (person) => {
    await person.signIn();
    const seen = await person.fillForm({ name: 'Somebody' });
    expect(seen).toEqual({ sees: 'form', text: expect.stringContaining('No record was found') });
  },
};

test.for(Object.entries(RULES))(
  'the right client keeps the rule that %s breaks, and its twin is seen',
  async ([fault, rule]) => {
    const servers = await startServers();
    const right = startPerson(servers, 'anna');
    await rule(right, servers);
    await right.leave();
    servers.ehr.away = false;
    servers.calls.length = 0;
    await expect(rule(startPerson(servers, 'boris', { fault }), servers)).rejects.toThrow(/expected/);
  },
);

test('link, read, log out, sign in again, disconnect and delete: each call in its place', async () => {
  const servers = await startServers();
  const { calls } = servers;
  const person = startPerson(servers, 'anna');
  const then = async (act: () => Promise<{ sees: string }>) => {
    calls.length = 0;
    const { sees } = await act();
    return [sees, ...wire(calls)];
  };
  const signIn = ['auth auth.request_otp', 'auth auth.confirm_otp', 'ehr patient.get_patient'];
  const link = ['auth auth.exchange_token', 'ehr embedded_storage.authenticate', 'auth auth.report_link'];
  expect(await then(person.signIn)).toEqual(['form', ...signIn]);
  expect(await then(person.fillForm)).toEqual(['patient', ...link]);
  expect(await then(() => person.press('readPatient'))).toEqual(['patient', 'ehr patient.get_patient']);
  expect(await then(() => person.press('logout'))).toEqual(['signedOut', `ehr ${LOGOUT}`, 'auth auth.logout']);
  expect(await then(person.signIn)).toEqual(['patient', ...signIn]);
  expect(await then(() => person.press('disconnect'))).toEqual([
    'form',
    `ehr ${DISCONNECT}`,
    'ehr patient.get_patient',
  ]);
  expect(await then(person.fillForm)).toEqual(['patient', ...link]);
  const deleted = ['signedOut', `ehr ${DISCONNECT}`, 'auth auth.delete_user'];
  expect(await then(() => person.press('deleteAccount'))).toEqual(deleted);
  expect(await then(person.signIn)).toEqual(['form', ...signIn]);
});

test('the form goes to the EHR server in the format of the interface', async () => {
  const servers = await startServers();
  const person = startPerson(servers, 'rufus');
  await person.signIn();
  const { phone } = person.values;
  const seen = await person.fillForm({ phone: `+${phone} x12`, medCardId: '123456' });
  expect(seen.patient).toEqual(personas.rufus.patients[0]);
  const { params } = JSON.parse(servers.calls.at(-2)?.text ?? '') as { params: unknown };
  expect(params).toEqual({
    exchangeToken: expect.any(String),
    patientProperties: { ...person.values, phone, date: '1945-08-15 00:00:00.000' },
    searchStrategy: 'MEDCARD',
    medCardId: '123456',
  });
});

test('each try has an exchange token of its own, so that none runs out of time or of tries', async () => {
  const servers = await startServers();
  const person = startPerson(servers, 'anna');
  await person.signIn();
  for (let tries = 0; tries < 6; tries += 1)
    expect(await person.fillForm({ name: 'Nobody' })).toMatchObject({ sees: 'form' });
  await servers.plainEhr.control('/clock/advance', { milliseconds: 10 * 60_000 });
  expect(await person.fillForm()).toMatchObject({ sees: 'patient' });
  expect(servers.calls.filter(({ reason }) => reason?.startsWith('exchange_token'))).toEqual([]);
});

test('a restart keeps the session, and whoever leaves is logged out but is known the next time', async () => {
  const servers = await startServers();
  const storage = join(directoryOfTest(), 'storage.json');
  const person = startPerson(servers, 'anna', { storage });
  await person.link();
  expect(await person.press('restart')).toMatchObject({ sees: 'patient' });
  expect(await person.leave()).toBe(0);
  expect(wire(servers.calls).slice(-2)).toEqual([`ehr ${LOGOUT}`, 'auth auth.logout']);
  const { signatures } = JSON.parse(readFileSync(storage, 'utf8')) as { signatures: Record<string, string> };
  expect(signatures).toEqual({ [personas.anna.signIn]: expect.stringMatching(/^[\w-]{43}$/) });
  const back = startPerson(servers, 'anna', { storage });
  expect(await back.press('restart')).toMatchObject({ sees: 'signedOut' });
  expect(await back.signIn()).toMatchObject({ sees: 'patient' });
});

test('a person who disconnected elsewhere comes to the form without an error, and the signature is forgotten', async () => {
  const servers = await startServers();
  const [phone, other] = [startPerson(servers, 'anna'), startPerson(servers, 'anna')];
  await phone.link();
  await phone.press('logout');
  await other.signIn();
  await other.press('disconnect');
  const seen = await phone.signIn();
  expect(seen).toEqual({ sees: 'form', text: expect.stringContaining('disconnected elsewhere') });
  expect(await phone.fillForm()).toMatchObject({ sees: 'patient' });
});

test('with no session at the EHR server an ending is told, and then leads to the authorization server alone', async () => {
  const servers = await startServers();
  const person = startPerson(servers, 'anna');
  await person.signIn();
  expect(await person.press('logout')).toEqual({ sees: 'error', text: expect.stringContaining('no session') });
  expect(wire(servers.calls)).not.toContain('auth auth.logout');
  expect(await person.press('logout')).toMatchObject({ sees: 'signedOut' });
  expect(wire(servers.calls).slice(-2)).toEqual([`ehr ${LOGOUT}`, 'auth auth.logout']);
});

test('a report that did not arrive is made up for, and one that is refused is told', async () => {
  const servers = await startServers();
  const anna = startPerson(servers, 'anna');
  await anna.signIn();
  servers.auth.away = 'auth.report_link';
  expect(await anna.fillForm()).toEqual(
    expect.objectContaining({ sees: 'patient', text: expect.stringContaining('could not be told') }),
  );
  servers.auth.away = false;
  expect(await anna.press('readPatient')).toMatchObject({ sees: 'patient' });
  expect(wire(servers.calls).at(-1)).toBe('auth auth.report_link');

  const orphan = startPerson(servers, 'orphan');
  expect(await orphan.link()).toMatchObject({ sees: 'patient', text: expect.stringContaining('could not be told') });
});

test('what is wrong is said with a way on, and nothing is sent that cannot work', async () => {
  const servers = await startServers();
  const person = startPerson(servers, 'anna');
  const said = async (act: Promise<{ sees: string; text: string }>) => Object.values(await act).slice(0, 2);
  expect(await said(person.press('readPatient'))).toEqual(['signedOut', expect.stringContaining('sign in')]);
  expect(await said(person.press('resend'))).toEqual(['signedOut', expect.stringContaining('sign in')]);
  expect(await said(person.press('toString'))).toEqual(['error', expect.stringContaining('signIn')]);
  expect(await said(person.press('dance'))).toEqual(['error', expect.stringContaining('signIn')]);
  expect(servers.calls).toEqual([]);
  await person.act({ do: 'signIn', phone: personas.anna.signIn });
  expect(await said(person.press('resend'))).toEqual(['code', expect.stringContaining('was sent')]);
  expect(await said(person.act({ do: 'enterCode', code: 'x' }))).toEqual(['code', expect.stringContaining('wrong')]);
  expect(await said(person.fillForm())).toEqual(['signedOut', expect.stringContaining('sign in')]);
  await person.signIn();
  expect(await said(person.fillForm({ surname: '' }))).toEqual(['form', expect.stringContaining('surname')]);
  expect(await said(person.fillForm({ date: '1985-13-01' }))).toEqual(['form', expect.stringContaining('Correct it')]);
  expect(await said(person.fillForm())).toEqual(['patient', 'The record of Anna Petrova.']);
  expect(await said(person.fillForm())).toEqual(['error', expect.stringContaining('no form')]);
});
