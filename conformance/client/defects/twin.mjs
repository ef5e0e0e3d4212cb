#!/usr/bin/env node
/**
 * The client in plain JavaScript with one defect, or with a harmless difference: DEFECT=name.
 *
 * `defects.ts` says what each breaks, and which check must find it.
 */
import { run } from '../../examples/plain-client/client.mjs';

const LOGOUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';
const AUTHENTICATE = 'embedded_storage.authenticate';

/** Replaces a method by one that is given the right method. */
function around(client, method, changed) {
  const right = client[method].bind(client);
  client[method] = (...args) => changed(right, ...args);
}

/** Changes the text of requests before they are sent. */
function onWire(change) {
  const right = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const request = { url: String(url), init: { ...init }, call: JSON.parse(init.body) };
    change(request);
    return right(request.url, { ...request.init, body: request.body ?? JSON.stringify(request.call) });
  };
}

/** Changes the calls of some methods. */
const onCall =
  (change, ...methods) =>
  () =>
    onWire((request) => {
      if (methods.length === 0 || methods.includes(request.call.method)) change(request.call, request);
    });

/** Changes the properties of the form. */
const onForm = (change) => onCall(({ params }) => change(params.patientProperties, params), AUTHENTICATE);

/** Changes what the person sees. */
const onSeen = (change) => (client) =>
  around(client, 'act', async (right, action) => change(await right(action), action, client));

const anyway = (promise) => promise.catch(() => undefined);

const VARIANTS = {
  // Patient data where it must not be.
  'form-to-auth': (client) =>
    around(client, 'authenticate', async (right, params) => {
      await client.auth('auth.exchange_token', params, client.storage.session);
      return right(params);
    }),
  'surname-in-base64-to-auth': (client) =>
    around(client, 'report', (right, sign) => {
      const note = Buffer.from(client.surname ?? 'Канарейкина').toString('base64');
      return anyway(client.auth('auth.report_link', { user_sign: sign, note }, client.storage.session)).then(() =>
        right(sign),
      );
    }),
  'record-to-auth': (client) =>
    around(client, 'show', (right, result) => {
      client.shown = result.patient.email;
      return right(result);
    }) ??
    around(client, 'report', (right, sign) =>
      anyway(client.auth('auth.report_link', { user_sign: sign, email: client.shown }, client.storage.session)).then(
        () => right(sign),
      ),
    ),
  'exchange-token-to-auth': (client) =>
    around(client, 'exchangeToken', async (right) => {
      const token = await right();
      await anyway(client.auth('auth.exchange_token', { former: token }, client.storage.session));
      return token;
    }),
  'token-in-address': onCall((call, request) => {
    request.url += `?token=${call.cred.token}`;
  }, 'patient.get_patient'),
  'token-in-header': onCall((call, request) => {
    request.init.headers = { ...request.init.headers, authorization: `Bearer ${call.cred.token}` };
  }, 'patient.get_patient'),
  // Messages.
  'text-plain': onCall((_call, request) => {
    request.init.headers = { 'content-type': 'text/plain' };
  }),
  'body-cut-short': onCall((call, request) => {
    const body = JSON.stringify(call);
    request.body = Buffer.from(body).subarray(0, body.length);
  }, AUTHENTICATE),
  'path-without-slash': onCall((_call, request) => {
    request.url = request.url.replace(/\/$/, '');
  }, LOGOUT),
  'jsonrpc-left-out': onCall((call) => {
    delete call.jsonrpc;
  }, LOGOUT),
  'id-left-out': onCall((call) => {
    delete call.id;
  }, 'auth.logout'),
  'params-left-out': onCall((call) => {
    delete call.params;
  }, 'auth.logout'),
  'internal-method': (client) =>
    around(client, 'exchangeToken', async (right) => {
      const exchangeToken = await right();
      await anyway(client.ehr('embedded_storage.save_exchange_token', { exchangeToken }));
      return exchangeToken;
    }),
  'cred-without-user': onCall((call) => {
    delete call.cred.user;
  }, LOGOUT),
  'cred-in-authenticate': (client) =>
    around(client, 'ehr', (right, method, params, session) => right(method, params, session ?? client.storage.session)),
  'removal-with-user': onCall(
    (call) => {
      call.params.user = call.cred.user;
    },
    LOGOUT,
    DISCONNECT,
  ),
  'name-in-capitals': onForm((properties) => {
    properties.name = properties.name.toUpperCase();
  }),
  'birthday-a-day-off': onForm((properties) => {
    const day = new Date(Date.parse(`${properties.date.slice(0, 10)}T00:00:00Z`) - 1);
    properties.date = day.toISOString().replace('T', ' ').slice(0, 10) + properties.date.slice(10);
  }),
  'date-in-iso': onForm((properties) => {
    properties.date = `${properties.date.slice(0, 10)}T00:00:00.000Z`;
  }),
  'phone-with-plus': onForm((properties) => {
    properties.phone = `+${properties.phone}`;
  }),
  'gender-as-text': onForm((properties) => {
    properties.gender = 'female';
  }),
  // The order of calls.
  'form-without-asking': (client) =>
    around(client, 'readPatient', () => {
      client.isFormOpen = true;
      return { sees: 'form', text: 'Please tell us who you are.' };
    }),
  'form-at-any-error': (client) =>
    around(client, 'readPatient', (right, options) =>
      right(options).catch(() => {
        client.isFormOpen = true;
        return { sees: 'form', text: 'Please tell us who you are.' };
      }),
    ),
  'no-form-when-expired': (client) =>
    around(client, 'readPatient', async (right, options) => {
      const seen = await right(options);
      if (seen.sees !== 'form' || !client.hasShown) return seen;
      client.isFormOpen = false;
      return { sees: 'error', text: 'The record cannot be shown now.' };
    }) ??
    around(client, 'show', (right, result) => {
      client.hasShown = true;
      return right(result);
    }),
  'link-not-reported': (client) => around(client, 'report', () => ''),
  'report-given-up': (client) =>
    around(client, 'report', async (right, sign) => {
      const note = await right(sign);
      client.storage.session.isUnreported = false;
      return note;
    }),
  'lost-link-not-reported': (client) =>
    around(client, 'authenticate', (right, ...given) =>
      right(...given).catch((error) => {
        client.storage.session.isUnreported = false;
        throw error;
      }),
    ),
  'auth-first': (client) =>
    around(client, 'leave', async (_right, ehrMethod, authMethod, text) => {
      await client.auth(authMethod, {}, client.storage.session);
      await client.endAtEhr(ehrMethod);
      client.forgetSession();
      return { sees: 'signedOut', text };
    }),
  'auth-despite-refusal': (client) => around(client, 'endAtEhr', (right, method) => anyway(right(method))),
  'logout-at-home-only': (client) =>
    around(client, 'logout', async () => {
      client.forgetSession();
      return { sees: 'signedOut', text: 'You are signed out.' };
    }),
  'no-way-out': (client) =>
    around(client, 'leave', (right, ...given) => {
      if (client.storage.session) delete client.storage.session.endedBy;
      return right(...given);
    }),
  'leaves-without-logout': (client) => {
    around(client, 'act', (right, action) =>
      action?.do === 'logout' && process.stdin.readableEnded ? undefined : right(action),
    );
  },
  // Keeping and forgetting.
  'exchange-token-kept': (client) =>
    around(client, 'exchangeToken', async (right) => {
      client.firstExchangeToken ??= await right();
      return client.firstExchangeToken;
    }),
  'signature-dropped': (client) => around(client, 'confirm', (right, phone, code) => right(phone, code)),
  'signature-outlives-link': (client) =>
    around(client, 'endAtEhr', async (right, method) => {
      const signatures = { ...client.storage.signatures };
      await right(method);
      client.storage.signatures = signatures;
    }),
  'signature-for-everybody': (client) =>
    around(client, 'confirm', (right, phone, code, sign) =>
      right(phone, code, sign ?? Object.values(client.storage.signatures)[0]),
    ),
  'record-kept-after-logout': onSeen((seen, action, client) => {
    if (seen.sees === 'patient') client.kept = seen;
    return action.do === 'readPatient' && seen.sees === 'signedOut' && client.kept ? client.kept : seen;
  }),
  'session-kept-after-logout': (client) =>
    around(client, 'forgetSession', (right) => {
      const { session } = client.storage;
      right();
      client.storage.session = session;
    }),
  'record-of-another-when-offline': onSeen((seen, _action, client) => {
    if (seen.sees === 'patient') client.kept ??= seen;
    return seen.sees === 'error' && client.kept ? client.kept : seen;
  }),
  'hiccup-ends-session': (client) =>
    around(client, 'readPatient', (right, options) =>
      right(options).catch((error) => {
        client.forgetSession();
        throw error;
      }),
    ),
  'endless-exchange': (client) =>
    around(client, 'readPatient', async (right, options) => {
      let seen = await right(options);
      for (let turn = 0; turn < 20 && client.linkedOnce && seen.sees === 'form'; turn += 1) seen = await right(options);
      return seen;
    }) ??
    around(client, 'show', (right, result) => {
      client.linkedOnce = true;
      return right(result);
    }),
  // What the person is told.
  'reason-swallowed': onSeen((seen) => (seen.sees === 'patient' ? seen : { ...seen, text: 'Something went wrong.' })),
  'codes-for-words': onSeen((seen) => (seen.sees === 'patient' ? seen : { ...seen, text: '-33000' })),
  'takes-any-reply': () => {
    const right = globalThis.fetch;
    globalThis.fetch = async (url, init) => {
      const { id } = JSON.parse(init.body);
      const response = await right(url, init);
      if (!response.ok) return response;
      return new Response(JSON.stringify({ ...JSON.parse(await response.text()), id }));
    };
  },
  // Differences that no check may report.
  'ids-as-text': onCall((call) => {
    call.id = String(call.id);
  }),
  'gender-left-out': onForm((properties) => {
    delete properties.gender;
  }),
  'members-in-another-order': onCall((call, request) => {
    request.body = JSON.stringify(Object.fromEntries(Object.entries(call).reverse()));
  }),
  'charset-in-content-type': onCall((_call, request) => {
    request.init.headers = { 'content-type': 'application/json; charset=utf-8' };
  }),
  'names-decomposed': onForm((properties) => {
    properties.surname = properties.surname.normalize('NFD');
  }),
  'indented-json': onCall((call, request) => {
    request.body = JSON.stringify(call, null, 2);
  }),
  'accept-header': onCall((_call, request) => {
    request.init.headers = { ...request.init.headers, accept: 'application/json', 'accept-language': 'de' };
  }),
  'exchange-token-for-each-try': (client) =>
    around(client, 'exchangeToken', (right) => {
      client.exchange = undefined;
      return right();
    }),
  'reads-once-more': (client) =>
    around(client, 'readPatient', async (right, options) => {
      const seen = await right(options);
      return seen.sees === 'patient' ? right(options) : seen;
    }),
  'longer-texts': onSeen((seen) => ({
    ...seen,
    text: `${seen.text} Our service desk is there for you, day and night.`,
  })),
};

const variant = VARIANTS[process.env.DEFECT ?? ''];
if (!variant) throw new Error(`There is no variant ${process.env.DEFECT}.`);
await run(variant);
