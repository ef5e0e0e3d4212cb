/** Defects in calls to the EHR server: envelope, authInfo, secrets and patient data. */

import type { EhrMethod } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/digest.ts';
import type { Defect } from '../defect.ts';
import { authInfoOf, changed, type Outgoing, SAVE, withId } from './outgoing.ts';

function sends(id: string, title: string, caughtBy: string, change: (outgoing: Outgoing) => void): Defect {
  return { id, title, caughtBy, fetch: changed(change) };
}

export const wireDefects: readonly Defect[] = [
  sends('cred-user-is-end-user', 'cred.user is the end user', 'cred-user', (out) => {
    out.call.cred.user = authInfoOf(out).user;
  }),
  sends('no-cred', 'There is no cred', 'cred-present', ({ call }) => {
    delete (call as Record<string, unknown>).cred;
  }),
  sends('cred-in-params', 'cred stands among the params', 'cred-present', ({ call }) => {
    call.params.cred = call.cred;
    delete (call as Record<string, unknown>).cred;
  }),
  sends('cred-members-renamed', 'cred has login and hash', 'cred-present', (out) => {
    out.call.cred = { login: out.call.cred.user, hash: out.call.cred.token };
  }),
  sends('jsonrpc-missing', 'jsonrpc is missing', 'envelope', ({ call }) => {
    delete call.jsonrpc;
  }),
  sends('jsonrpc-number', 'jsonrpc is the number 2', 'envelope', ({ call }) => {
    call.jsonrpc = 2;
  }),
  sends('id-missing', 'The calls have no id', 'envelope', ({ call }) => {
    delete call.id;
  }),
  sends('params-by-position', 'The params are a list', 'envelope', (out) => {
    (out.call as Record<string, unknown>).params = Object.values(out.call.params);
  }),
  { id: 'same-id', title: 'Every call has the id 1', caughtBy: 'ids-differ', fetch: withId(() => 1) },
  sends('content-type-text', 'The Content-Type is text/plain', 'call-is-post-json', ({ init }) => {
    init.headers['content-type'] = 'text/plain';
  }),
  {
    ...sends('form-encoded', 'The call is sent as a form', 'call-is-post-json', ({ init, call }) => {
      init.headers['content-type'] = 'application/x-www-form-urlencoded';
      init.body = new URLSearchParams({ request: JSON.stringify(call) }).toString();
    }),
    layer: 'bytes',
  },
  sends('method-put', 'Calls are sent by PUT', 'call-is-post-json', ({ init }) => {
    init.method = 'PUT';
  }),
  sends('path-without-version', 'The path lacks the version', 'call-path-has-version', ({ url }) => {
    url.pathname = '/';
  }),
  sends('path-other-version', 'The path names another version', 'call-path-has-version', ({ url }) => {
    url.pathname = '/2.0/';
  }),

  sends('ttl-as-string', 'ttl is a string', 'auth-info-complete', (out) => {
    authInfoOf(out).ttl = String(authInfoOf(out).ttl);
  }),
  sends('ttl-missing', 'ttl is missing', 'auth-info-complete', (out) => {
    delete authInfoOf(out).ttl;
  }),
  sends('ttl-fraction', 'ttl has a fraction', 'auth-info-complete', (out) => {
    authInfoOf(out).ttl = Number(authInfoOf(out).ttl) + 0.5;
  }),
  sends('ttl-in-seconds', 'ttl counts seconds', 'ttl-as-given', (out) => {
    authInfoOf(out).ttl = Number(authInfoOf(out).ttl) * 60;
  }),
  sends('ttl-in-milliseconds', 'ttl counts milliseconds', 'ttl-sane', (out) => {
    authInfoOf(out).ttl = Number(authInfoOf(out).ttl) * 60_000;
  }),
  sends('ttl-zero', 'ttl is 0, meant as endless', 'ttl-sane', (out) => {
    authInfoOf(out).ttl = 0;
  }),
  sends('ttl-as-date', 'ttl is the time of expiry', 'ttl-sane', (out) => {
    authInfoOf(out).ttl = 1_893_456_000;
  }),
  sends('user-missing', 'authInfo lacks the user', 'auth-info-complete', (out) => {
    delete authInfoOf(out).user;
  }),
  sends('user-as-number', 'authInfo.user is a number', 'auth-info-complete', (out) => {
    authInfoOf(out).user = 12_345;
  }),
  sends('auth-info-flat', 'user, token and ttl stand among the params', 'auth-info-complete', ({ call }) => {
    Object.assign(call.params, call.params.authInfo);
    delete call.params.authInfo;
  }),
  sends('exchange-token-renamed', 'The parameter is called exchange_token', 'exchange-token-is-string', ({ call }) => {
    if (!('exchangeToken' in call.params)) return;
    call.params.exchange_token = call.params.exchangeToken;
    delete call.params.exchangeToken;
  }),
  sends('internal-user-id-sent', 'authInfo carries internalUserId', 'no-internal-user-id', (out) => {
    authInfoOf(out).internalUserId = 'int-4711';
  }),
  sends('password-in-header', 'The internal password stands in a header', 'secrets-not-in-clear', ({ init }) => {
    init.headers['x-internal-password'] = encodeURIComponent(SELF_TEST_PASSWORD);
  }),
  sends('basic-auth', 'Name and password are sent as HTTP Basic too', 'secrets-not-in-clear', ({ init, call }) => {
    init.headers.authorization = `Basic ${Buffer.from(`${String(call.cred.user)}:${SELF_TEST_PASSWORD}`).toString('base64')}`;
  }),
  sends('password-in-query', 'The internal password stands in the query', 'secrets-not-in-clear', ({ url }) => {
    url.searchParams.set('password', SELF_TEST_PASSWORD);
  }),
  {
    id: 'sign-in-clear',
    title: 'The user_sign is sent beside the digest',
    caughtBy: 'secrets-not-in-clear',
    ...(() => {
      const signs: string[] = [];
      return {
        variation: () => ({
          digest: (password: string, secret: string, method: EhrMethod) => {
            if (method === SAVE) signs.push(secret);
            return digest(password, secret);
          },
        }),
        fetch: changed(({ call }) => {
          if (call.method === SAVE) call.params.userSign = signs.at(-1);
        }),
      };
    })(),
  },
  {
    id: 'reads-the-record',
    title: 'The server fetches the patient record for itself',
    caughtBy: 'only-internal-methods',
    fetch: (send) => async (input, init) => {
      const reply = await send(input, init);
      const { method, params } = JSON.parse(String(init?.body)) as {
        method: string;
        params: { authInfo: { user: string; token: string } };
      };
      if (method === SAVE) {
        const { user, token } = params.authInfo;
        const call = { jsonrpc: '2.0', id: 1, method: 'patient.get_patient', params: {}, cred: { user, token } };
        await (
          await send(input, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(call),
          })
        ).text();
      }
      return reply;
    },
  },
  {
    id: 'proxies-patient-data',
    title: 'The server passes patient properties on, in base64',
    caughtBy: 'no-patient-data',
    fetch: changed(({ call }) => {
      call.params.profile = Buffer.from(JSON.stringify({ surname: 'Quokkabergström-001' })).toString('base64');
    }),
  },
];

/** Beyond ASCII, so that its encoding shows, and with blanks at both ends, so that their loss shows. */
export const SELF_TEST_PASSWORD = ' self-test-pässword ';

/** Beyond ASCII, so that a body whose length counts characters is cut short. */
export const SELF_TEST_USER = 'auth-sërver';
