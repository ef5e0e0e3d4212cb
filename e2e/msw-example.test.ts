import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { personas, propertiesOf } from '#mis-fixtures/personas.ts';
import { authHandlers, ehrHandlers, manualClock, RpcError, rpc } from '#msw/index.ts';

const EHR = 'http://ehr.test';
const AUTH = 'http://auth.test';
const PHONE = personas.anna.signIn;

const clock = manualClock();
const ehr = ehrHandlers({ url: EHR, clock });
const auth = authHandlers({ url: AUTH, ehr, otpResendAfter: 0 });
const server = setupServer(...ehr, ...auth);

// With { onUnhandledRequest: 'error' } in msw 2, { onUnhandledFrame: 'error' } in msw 3, other requests fail.
beforeAll(() => server.listen());
afterEach(() => {
  server.resetHandlers();
  ehr.reset();
  auth.reset();
});
afterAll(() => server.close());

/** Replace this by your own client. */
async function call(url: string, method: string, params: unknown, cred?: unknown) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return response.json();
}

async function signIn() {
  await call(AUTH, 'auth.request_otp', { phone: PHONE });
  const { result } = await call(AUTH, 'auth.confirm_otp', { phone: PHONE, code: auth.outbox.code(PHONE) });
  return { user: result.authInfo.user, token: result.authInfo.token };
}

test('the client links Anna and shows her record', async () => {
  const cred = await signIn();
  const { exchangeToken } = (await call(AUTH, 'auth.exchange_token', {}, cred)).result;
  const patientProperties = propertiesOf(personas.anna);
  await call(`${EHR}/1.0-alpha/`, 'embedded_storage.authenticate', { exchangeToken, patientProperties });
  const { result } = await call(`${EHR}/1.0-alpha/`, 'patient.get_patient', {}, cred);
  expect(result.patient.surname).toBe('Petrova');
});

test('the client is told that the exchange token is ten minutes old', async () => {
  const cred = await signIn();
  const { exchangeToken } = (await call(AUTH, 'auth.exchange_token', {}, cred)).result;
  clock.advance(10 * 60_000);
  const patientProperties = propertiesOf(personas.anna);
  const { error } = await call(`${EHR}/1.0-alpha/`, 'embedded_storage.authenticate', {
    exchangeToken,
    patientProperties,
  });
  expect(error.data.reason).toBe('exchange_token_expired');
});

test('the client meets a session that has expired', async () => {
  server.use(
    rpc(EHR).method('patient.get_patient', () => {
      throw new RpcError('session_expired');
    }),
  );
  const { error } = await call(`${EHR}/1.0-alpha/`, 'patient.get_patient', {}, await signIn());
  expect(error.data.reason).toBe('session_expired');
});
