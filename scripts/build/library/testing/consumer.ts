/** For tests: what developers of client applications write against the built library. */

export const CONSUMER = `
import { setupServer } from 'msw/node';
import { authHandlers, ehrHandlers, manualClock, RpcError, rpc } from 'embedded-ehr-harness/mis-fixtures/msw';
import { personas, propertiesOf } from 'embedded-ehr-harness/mis-fixtures/personas';
import { errorTable, type Patient, type Reason, RpcError as SameRpcError, readReply } from 'embedded-ehr-harness/protocol';

const ehr = ehrHandlers({ url: 'http://ehr.test', clock: manualClock() });
const auth = authHandlers({ url: 'http://auth.test', ehr });
const server = setupServer(...ehr, ...auth);
server.listen();

async function call(url: string, method: string, params: object, cred?: { user: string; token: string }): Promise<any> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const reply = readReply(await response.text(), 1);
  return 'result' in reply ? reply.result : reply.error;
}

const { signIn: phone } = personas.anna;
await call('http://auth.test', 'auth.request_otp', { phone });
const { authInfo } = await call('http://auth.test', 'auth.confirm_otp', { phone, code: auth.outbox.code(phone) });
const { exchangeToken } = await call('http://auth.test', 'auth.exchange_token', {}, authInfo);
const endpoint = 'http://ehr.test/1.0-alpha/';
const patientProperties = propertiesOf(personas.anna);
const linked: { patient: Patient } = await call(endpoint, 'embedded_storage.authenticate', { exchangeToken, patientProperties });

const reason: Reason = 'session_expired';
server.use(
  rpc('http://ehr.test').method('patient.get_patient', ({ params, cred, id }) => {
    const token: string = cred.token;
    const ids: string | number | null | undefined = id;
    const none: Record<string, never> = params;
    if (token && ids && none) throw new SameRpcError(reason);
    throw new RpcError('internal_error');
  }),
);
const refused = await call(endpoint, 'patient.get_patient', {}, authInfo);
console.log(JSON.stringify([linked.patient.surname, refused.code === errorTable[reason].code, SameRpcError === RpcError]));
server.close();
`;

export const MISTAKES = `
import { rpc } from 'embedded-ehr-harness/mis-fixtures/msw';
rpc('http://ehr.test').method('patient.get_patients', () => ({}));
rpc('http://ehr.test').method('patient.get_patient', () => ({ patient: 'Anna' }));
rpc('http://auth.test').method('auth.request_otp', ({ cred }) => ({ digits: cred.token.length, expiresIn: 1, resendAfter: 1 }));
`;

/** Signs in and links without sockets, and returns the surname of the linked patient. */
export const PAGE = `
import { getResponse } from 'msw';
import { authHandlers, ehrHandlers } from 'embedded-ehr-harness/mis-fixtures/msw';
import { personas, propertiesOf } from 'embedded-ehr-harness/mis-fixtures/personas';

const ehr = ehrHandlers({ url: 'http://ehr.test' });
const auth = authHandlers({ url: 'http://auth.test', ehr });

async function call(url, method, params, cred) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred });
  const request = new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const reply = await (await getResponse([...ehr, ...auth], request)).json();
  return reply.result;
}

export async function link() {
  const { signIn: phone } = personas.anna;
  await call('http://auth.test', 'auth.request_otp', { phone });
  const { authInfo } = await call('http://auth.test', 'auth.confirm_otp', { phone, code: auth.outbox.code(phone) });
  const cred = { user: authInfo.user, token: authInfo.token };
  const { exchangeToken } = await call('http://auth.test', 'auth.exchange_token', {}, cred);
  const params = { exchangeToken, patientProperties: propertiesOf(personas.anna) };
  return (await call('http://ehr.test/1.0-alpha/', 'embedded_storage.authenticate', params)).patient.surname;
}
`;
