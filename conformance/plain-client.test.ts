import { expect, test } from 'vitest';
import { type PersonaName, personas, propertiesOf } from '#mis-fixtures/personas.ts';
import {
  type NotedCall,
  startMockAuth,
  startNotedServer,
  startPlainClient,
  startPlainEhr,
} from './testing/plain-parties.ts';

/** Starts the plain EHR server, the mock authorization server, and a note of the calls to each. */
async function startServers() {
  const plainEhr = await startPlainEhr();
  const mock = await startMockAuth(plainEhr.internalUrl);
  const calls: NotedCall[] = [];
  const [ehr, auth] = await Promise.all([
    startNotedServer('ehr', plainEhr.url, calls),
    startNotedServer('auth', mock.url, calls),
  ]);
  return { ehr, auth, calls, newestCode: mock.newestCode };
}
type Servers = Awaited<ReturnType<typeof startServers>>;

/** Starts the plain client for a persona. */
function startPerson({ auth, ehr, newestCode }: Servers, who: PersonaName) {
  const { act } = startPlainClient(['--auth', auth, '--ehr', ehr]);
  const phone = personas[who].signIn;
  const { date, ...form } = propertiesOf(personas[who]);
  const values = { ...form, date: date.slice(0, 10) };
  return {
    act,
    values,
    /** Does what needs nothing more to be said. */
    press: (action: string) => act({ do: action }),
    async signIn() {
      await act({ do: 'signIn', phone });
      return act({ do: 'enterCode', code: await newestCode(phone) });
    },
    fillForm: (changes: object = {}) => act({ do: 'fillForm', values: { ...values, ...changes } }),
  };
}

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
