import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { personas, propertiesOf } from '#mis-fixtures/personas.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { type OverrideOptions, rpc } from './rpc.ts';
import { AUTH, credOf, EHR, ENDPOINT, send, useMocks } from './testing.ts';

const { anna } = personas;
const cred = { user: 'u', token: 't' };
const get = (id?: number) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  method: 'patient.get_patient',
  params: {},
  cred,
});
const discover = (id: number) => ({ jsonrpc: '2.0', id, method: 'rpc.discover' });
const reply = { patient: anna.patients[0], user_sign: 's', userSign: 's' };

/** Both mocks, of which get_patient is overridden. */
function useOverride(options?: OverrideOptions) {
  const mocks = useMocks();
  mocks.server.use(rpc(EHR).method('patient.get_patient', () => reply, options));
  return mocks;
}

test('one method is overridden and all others go on', async () => {
  const { server, signIn, link, toEhr } = useMocks();
  const seen: unknown[] = [];
  server.use(
    rpc(EHR).method('patient.get_patient', (call) => {
      seen.push(call);
      return reply;
    }),
  );
  expect(await toEhr('patient.get_patient', [], cred)).toMatchObject({ id: '1', result: reply });
  expect(seen).toEqual([{ params: {}, cred, id: 1 }]);
  expect((await link(credOf(await signIn(anna.signIn)), propertiesOf(anna))).result).toBeDefined();
  expect(seen).toHaveLength(1);
});

test('the resolver sees parameters as the server would, when well-formed', async () => {
  const { server, toAuth, toEhr } = useMocks();
  let asked = 0;
  server.use(
    rpc(AUTH).method('auth.confirm_otp', ({ params, cred: none, id }) => {
      asked++;
      expect({ params, none, id }).toEqual({
        params: { phone: '79990000001', code: '1' },
        none: undefined,
        id: 1,
      });
      throw new RpcError('otp_wrong');
    }),
    rpc(EHR).method('patient.get_patient', () => {
      asked++;
      return reply;
    }),
  );
  expect(
    (await toAuth('auth.confirm_otp', { phone: '79990000001', code: '1', unknown: true })).error?.data.reason,
  ).toBe('otp_wrong');
  expect((await toAuth('auth.confirm_otp', { phone: 'none', code: '1' })).error?.data.reason).toBe(
    'invalid_params',
  );
  expect((await toEhr('patient.get_patient')).error?.data.reason).toBe('not_authorized');
  expect(asked).toBe(1);
});

test('a mistake in a resolver fails the request, and is no server error', async () => {
  const { server } = useMocks();
  server.use(
    rpc(EHR).method('patient.get_patient', () => {
      throw new TypeError('a typing error in the test');
    }),
  );
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { status, text } = await send(ENDPOINT, get(1));
  expect(printed).toHaveBeenCalled();
  expect(status).toBe(500);
  expect(text).toContain('a typing error in the test');
});

test('with once the first request is answered and the next goes on', async () => {
  const { toEhr } = useOverride({ once: true });
  expect((await send(ENDPOINT, discover(1))).status).toBe(200);
  expect((await toEhr('patient.get_patient', {}, cred)).result).toEqual(reply);
  expect((await toEhr('patient.get_patient', {}, cred)).error?.data.reason).toBe('not_authorized');
});

test('overridden calls of a batch are answered here, the others behind, in order', async () => {
  const { post } = useOverride();
  const broken = { jsonrpc: '2.0', id: 4 };
  const { json } = await post(ENDPOINT, [
    discover(1),
    get(2),
    get(),
    discover(3),
    broken,
    get(5),
    { ...discover(6), id: undefined },
  ]);
  const replies = json as {
    id: string;
    result?: { userSign?: string; openrpc?: string };
    error?: { data: { reason: string } };
  }[];
  expect(
    replies.map(({ id, result, error }) => [id, result?.userSign ?? result?.openrpc ?? error?.data.reason]),
  ).toEqual([
    ['1', '1.3.2'],
    ['2', 's'],
    ['3', '1.3.2'],
    ['4', 'invalid_request'],
    ['5', 's'],
  ]);
});

test('calls of a batch see what the calls before them did', async () => {
  const { server, signIn, link } = useMocks();
  const session = credOf(await signIn(anna.signIn));
  await link(session, propertiesOf(anna));
  const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: {}, cred: session });
  server.use(
    rpc(EHR).method('embedded_storage.remove_auth_info', () => {
      throw new RpcError('session_expired');
    }),
  );
  const { json } = await send(ENDPOINT, [
    call(1, 'patient.get_patient'),
    call(2, 'embedded_storage.remove_auth_info'),
    call(3, 'embedded_storage.remove_authentication'),
    call(4, 'patient.get_patient'),
  ]);
  const outcomes = (json as { error?: { data: { reason: string } } }[]).map(
    ({ error }) => error?.data.reason ?? 'ok',
  );
  expect(outcomes).toEqual(['ok', 'session_expired', 'ok', 'not_authorized']);
});

test('two overrides share one batch', async () => {
  const { server } = useOverride();
  server.use(rpc(EHR).method('rpc.discover', () => ({ openrpc: 'mine' })));
  const { json } = await send(ENDPOINT, [discover(1), get(2), discover(3)]);
  expect(json).toMatchObject([
    { result: { openrpc: 'mine' } },
    { result: { userSign: 's' } },
    { result: { openrpc: 'mine' } },
  ]);
});

test('a batch of nothing but notifications is answered 204', async () => {
  const { post } = useOverride();
  expect(await post(ENDPOINT, [get(), get()])).toMatchObject({ status: 204, text: '' });
  expect(await post(ENDPOINT, get())).toMatchObject({ status: 204, text: '' });
});

test('a transport fault met by the rest of a batch is the answer', async () => {
  const { server } = useMocks();
  server.use(
    rpc(EHR).method('patient.get_patient', () => reply),
    http.post(ENDPOINT, () => HttpResponse.json({ error: { status: 503 } }, { status: 503 })),
  );
  expect((await send(ENDPOINT, [get(1), discover(2)])).status).toBe(503);
  expect((await send(ENDPOINT, [get(1)])).status).toBe(200);
});

test('calls to another server, and bodies that carry no call, are left alone', async () => {
  const { server } = useMocks();
  server.use(rpc('http://elsewhere.test').method('patient.get_patient', () => reply));
  expect(await send(ENDPOINT, get(1))).toMatchObject({
    json: { error: { data: { reason: 'not_authorized' } } },
  });
  server.use(rpc(EHR).method('patient.get_patient', () => reply));
  expect(await send(ENDPOINT, 'patient.get_patient')).toMatchObject({
    json: { error: { data: { reason: 'parse_error' } } },
  });
  expect(await send(ENDPOINT, [])).toMatchObject({
    json: { error: { data: { reason: 'invalid_request' } } },
  });
});
