import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { openRecorder, request, response } from '../../engine/journal/testing/exchanges.ts';
import { openTestRun, writePlainFile } from '../../testing/plain-server.ts';
import { loadAdapter } from './adapter/file/load.ts';
import { startFakeServer } from './adapter/testing/fake-server.ts';
import { type OpenRun, waitForEffect } from './run.ts';

const endings: Record<string, (run: OpenRun, abort: AbortController) => Promise<void>> = {
  'is aborted': async (_run, abort) => abort.abort(),
  'is closed': (run) => run.close(),
};

for (const [what, end] of Object.entries(endings)) {
  test(`a call that breaks because the run ${what} is not in its journal`, async () => {
    const server = await startFakeServer();
    // The server never answers, so the call is in progress until the run ends.
    const arrived = new Promise<void>((resolve) => server.answer(() => resolve()));
    const directory = temporaryFolder();
    const config = writePlainFile(directory, (file) => {
      file.server = { url: server.url };
      file.ports = {};
      file.otp = { fixed: { code: '123456' }, resendAfterSeconds: 0 };
    });
    const abort = new AbortController();
    const run = await openTestRun(await loadAdapter(config, {}), { signal: abort.signal });
    try {
      const call = run.adapter.perform('requestOtp', { phone: '+79000000001' }, abort.signal);
      await arrived;
      await end(run, abort);
      await run.close();
      await call;
      expect(run.bed.recorder.entries().filter(({ kind }) => kind === 'exchange')).toEqual([]);
      // A signal that outlives the run would keep its journal.
      expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
    } finally {
      await run.close();
    }
  });
}

function recorded() {
  const recorder = openRecorder(manualClock());
  const save = (method: string, params: object, accepted = true) => {
    const body = callText({ id: 1, method, params, cred: { user: 'auth', token: 'x' } });
    const reply = accepted ? { result: { id: 'r' } } : { error: { code: -33000, message: 'no' } };
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, ...reply });
    recorder.exchange({ link: 'auth->ehr', request: request({ body }) }).end({ response: response(answer) });
  };
  return { recorder, save, seen: waitForEffect(recorder), never: new AbortController().signal };
}

const authInfo = { user: 'u-1', token: 'session-1', ttl: 60 };

test('a person’s request for an exchange token is seen by its save', async () => {
  const { save, seen, never } = recorded();
  const waiting = seen('exchangeToken', never);
  save('embedded_storage.save_auth_info', { authInfo });
  save('embedded_storage.save_exchange_token', { exchangeToken: 'refused', authInfo }, false);
  save('embedded_storage.save_exchange_token', { exchangeToken: 'exchange-1', authInfo });
  expect(await waiting).toEqual({ user: 'u-1', token: 'session-1', exchangeToken: 'exchange-1' });
});

test('a reported link is seen by save_auth_info, and a sign-in by either save', async () => {
  const { save, seen, never } = recorded();
  const [link, signIn] = [seen('reportLink', never), seen('confirmOtp', never)];
  save('embedded_storage.save_auth_info', { authInfo });
  expect(await link).toEqual({ user: 'u-1', token: 'session-1' });
  expect(await signIn).toEqual({ user: 'u-1', token: 'session-1' });
});

test('any other step is seen by the authorization server’s answer', async () => {
  const { recorder, seen, never } = recorded();
  const waiting = seen('logout', never);
  recorder
    .exchange({ link: 'client->auth', request: request() })
    .end({ response: response('', { status: 204 }) });
  expect(await waiting).toEqual({});
});
