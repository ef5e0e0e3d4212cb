#!/usr/bin/env node
/**
 * The client in plain JavaScript with one defect, or with a harmless difference: DEFECT=name.
 *
 * `defects.ts` says what each breaks, and which check must find it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
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

/** Adds a member to the params of a call of the authorization server. */
const noteToAuth = (method, noteOf) => (client) =>
  around(client, 'auth', (right, called, params, session) =>
    right(called, called === method ? { ...params, note: noteOf(client) } : params, session),
  );

/** Remembers what was typed into the form. */
const typing = (alter) => (client) => {
  around(client, 'fillForm', (right, action) => {
    client.typed = action.values;
    return right(action);
  });
  alter(client);
};

/** Adds headers to the calls of some methods. */
const withHeaders = (headers, ...methods) =>
  onCall(
    (call, request) => {
      request.init.headers = { ...request.init.headers, ...headers(call) };
    },
    ...methods,
  );

/** Calls a method twice, one after the other. */
const twice = (method) => (client) =>
  around(client, method, async (right, ...args) => {
    const result = await right(...args);
    await anyway(right(...args));
    return result;
  });

/** Takes the reply of another call for the reply of its own. */
function takeAnyReply(isOf) {
  const right = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const { id, method } = JSON.parse(init.body);
    const response = await right(url, init);
    if (!response.ok || !isOf(method)) return response;
    return new Response(JSON.stringify({ ...JSON.parse(await response.text()), id }));
  };
}

/** Takes some errors of replies for another one. */
function onReply(reasonFor) {
  const right = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const response = await right(url, init);
    const text = await response.text();
    const { error } = response.ok && text.startsWith('{') ? JSON.parse(text) : {};
    const reason = error && reasonFor(error);
    if (!reason) return new Response(text, { status: response.status });
    return new Response(
      JSON.stringify({ ...JSON.parse(text), error: { code: -32603, message: reason, data: { reason } } }),
    );
  };
}

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
  'phone-of-form-to-auth': typing(noteToAuth('auth.exchange_token', ({ typed }) => typed?.phone)),
  'birthday-hashed-to-auth': typing(
    noteToAuth('auth.report_link', ({ typed }) =>
      createHash('sha256')
        .update(typed?.date ?? '')
        .digest('hex'),
    ),
  ),
  'name-in-address-of-auth': typing((client) =>
    onWire((request) => {
      if (request.call.method === 'auth.report_link' && client.typed)
        request.url += `?for=${encodeURIComponent(client.typed.name)}`;
    }),
  ),
  'surname-in-header-to-auth': typing((client) =>
    onWire((request) => {
      if (request.call.method === 'auth.report_link' && client.typed)
        request.init.headers = { ...request.init.headers, 'x-user': encodeURIComponent(client.typed.surname) };
    }),
  ),
  'code-to-ehr': (client) => {
    around(client, 'enterCode', (right, action) => {
      client.code = action.code;
      return right(action);
    });
    onWire(({ call }) => {
      if (call.method === 'patient.get_patient') call.params.code = client.code;
    });
  },
  'exchange-token-in-report': (client) => {
    around(client, 'exchangeToken', async (right) => {
      client.lastExchangeToken = await right();
      return client.lastExchangeToken;
    });
    noteToAuth('auth.report_link', () => client.lastExchangeToken)(client);
  },
  'token-in-cookie': withHeaders(({ cred }) => ({ cookie: `session=${cred.token}` }), LOGOUT),
  // Messages.
  'put-for-post': onCall((_call, request) => {
    request.init.method = 'PUT';
  }, LOGOUT),
  'form-encoded': onCall((call, request) => {
    request.init.headers = { 'content-type': 'application/x-www-form-urlencoded' };
    request.body = new URLSearchParams({ request: JSON.stringify(call) }).toString();
  }, 'auth.logout'),
  'version-left-out': onCall((_call, request) => {
    request.url = `${new URL(request.url).origin}/`;
  }, LOGOUT),
  'version-twice': onCall((_call, request) => {
    request.url += '1.0-alpha/';
  }, LOGOUT),
  'jsonrpc-as-number': onCall((call) => {
    call.jsonrpc = 2;
  }, LOGOUT),
  'id-null': onCall((call) => {
    call.id = null;
  }, LOGOUT),
  'params-as-list': onCall((call) => {
    call.params = [];
  }, 'auth.logout'),
  'method-in-capitals': onCall((call) => {
    call.method = 'Patient.Get_patient';
  }, 'patient.get_patient'),
  'ehr-method-to-auth': (client) =>
    around(client, 'logout', async (right) => {
      await anyway(client.auth(LOGOUT, {}, client.storage.session));
      return right();
    }),
  'cred-of-former-session': (client) =>
    onWire(({ call }) => {
      if (!call.cred) return;
      client.firstCred ??= call.cred;
      call.cred = client.firstCred;
    }),
  'cred-with-ttl': onCall((call) => {
    call.cred.ttl = 3600;
  }, 'patient.get_patient'),
  'cred-hashed': onCall((call) => {
    call.cred.token = createHash('sha1').update(call.cred.token).digest('hex');
  }, LOGOUT),
  'cred-in-params': onCall((call) => {
    call.params.cred = call.cred;
    delete call.cred;
  }, 'patient.get_patient'),
  'exchange-token-without-cred': onCall((call) => {
    delete call.cred;
  }, 'auth.exchange_token'),
  'report-without-cred': onCall((call) => {
    delete call.cred;
  }, 'auth.report_link'),
  'exchange-token-in-snake-case': onForm((_properties, params) => {
    params.exchange_token = params.exchangeToken;
    delete params.exchangeToken;
  }),
  'properties-flat': onForm((properties, params) => {
    Object.assign(params, properties);
    delete params.patientProperties;
  }),
  'properties-as-text': onForm((properties, params) => {
    params.patientProperties = JSON.stringify(properties);
  }),
  'exchange-token-in-lower-case': onForm((_properties, params) => {
    params.exchangeToken = params.exchangeToken.toLowerCase();
  }),
  'exchange-token-padded': onForm((_properties, params) => {
    params.exchangeToken = `${params.exchangeToken}=`;
  }),
  'record-id-for-sign': (client) => {
    around(client, 'show', (right, result) => {
      client.recordId = result.patient.id;
      return right(result);
    });
    around(client, 'report', (right) => right(client.recordId));
  },
  'sign-cut': (client) => around(client, 'report', (right, sign) => right(sign.slice(0, 32))),
  'names-transliterated': onForm((properties) => {
    properties.surname = properties.surname.replace(/[^ -~]/g, 'x');
  }),
  'names-swapped': onForm((properties) => {
    Object.assign(properties, { name: properties.surname, surname: properties.name });
  }),
  'date-day-first': onForm((properties) => {
    properties.date = `${properties.date.slice(0, 10).split('-').reverse().join('.')} 00:00:00.000`;
  }),
  'date-without-milliseconds': onForm((properties) => {
    properties.date = properties.date.slice(0, 19);
  }),
  'date-without-time': onForm((properties) => {
    properties.date = properties.date.slice(0, 10);
  }),
  'phone-as-number': onForm((properties) => {
    properties.phone = Number(properties.phone);
  }),
  'phone-of-sign-in': (client) =>
    onForm((properties) => {
      properties.phone = client.storage.session.phone;
    })(client),
  'gender-swapped': onForm((properties) => {
    properties.gender = 1 - properties.gender;
  }),
  'gender-as-numeral': onForm((properties) => {
    properties.gender = String(properties.gender);
  }),
  'removal-params-as-list': onCall(
    (call) => {
      call.params = [];
    },
    LOGOUT,
    DISCONNECT,
  ),
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
  'logout-at-ehr-only': (client) =>
    around(client, 'auth', (right, method, ...rest) => (method === 'auth.logout' ? {} : right(method, ...rest))),
  'deletion-at-auth-only': (client) =>
    around(client, 'deleteAccount', async () => {
      await client.auth('auth.delete_user', {}, client.storage.session);
      client.forgetSession();
      return { sees: 'signedOut', text: 'Your account is deleted.' };
    }),
  'logout-disconnects': (client) =>
    around(client, 'logout', () => client.leave(DISCONNECT, 'auth.logout', 'You are signed out.')),
  'deletion-keeps-link': (client) =>
    around(client, 'deleteAccount', () => client.leave(LOGOUT, 'auth.delete_user', 'Your account is deleted.')),
  'both-servers-at-once': (client) =>
    around(client, 'leave', async (_right, ehrMethod, authMethod, text) => {
      const { session } = client.storage;
      await Promise.all([client.endAtEhr(ehrMethod), client.auth(authMethod, {}, session)]);
      client.forgetSession();
      return { sees: 'signedOut', text };
    }),
  'disconnect-signs-out': (client) =>
    around(client, 'disconnect', async () => {
      await client.endAtEhr(DISCONNECT);
      await client.auth('auth.logout', {}, client.storage.session);
      client.forgetSession();
      return { sees: 'signedOut', text: 'Your record is disconnected, and you are signed out.' };
    }),
  'auth-logout-not-repeated': (client) =>
    around(client, 'leave', (right, ...given) =>
      right(...given).catch((error) => {
        if (!client.storage.session?.endedBy) throw error;
        client.forgetSession();
        return { sees: 'signedOut', text: 'You are signed out.' };
      }),
    ),
  'leaving-disconnects': (client) =>
    around(client, 'logout', (right) =>
      process.stdin.readableEnded ? client.leave(DISCONNECT, 'auth.logout', '') : right(),
    ),
  'form-at-forbidden': (client) =>
    around(client, 'readPatient', (right, options) =>
      right(options).catch((error) => {
        if (error.reason !== 'access_forbidden') throw error;
        client.isFormOpen = true;
        return { sees: 'form', text: 'Please tell us who you are.' };
      }),
    ),
  'form-when-record-gone': (client) =>
    around(client, 'readPatient', (right, options) =>
      right(options).catch((error) => {
        if (error.reason !== 'record_gone') throw error;
        client.isFormOpen = true;
        return { sees: 'form', text: 'Please tell us who you are.' };
      }),
    ),
  'form-after-first-code-only': () => onReply((error) => [-33001, -33002].includes(error.code) && 'internal_error'),
  'expiry-signs-out': (client) =>
    around(client, 'ehr', (right, ...given) =>
      right(...given).catch((error) => {
        if (error.reason === 'session_expired') throw Object.assign(error, { code: 0, reason: 'signed_out' });
        throw error;
      }),
    ),
  'confirms-twice': twice('confirm'),
  'form-sent-twice': (client) =>
    around(client, 'ehr', async (right, method, ...rest) => {
      const result = await right(method, ...rest);
      if (method === AUTHENTICATE) await anyway(right(method, ...rest));
      return result;
    }),
  'logout-sent-twice': (client) =>
    around(client, 'ehr', async (right, method, ...rest) => {
      const result = await right(method, ...rest);
      if (method === LOGOUT) await anyway(right(method, ...rest));
      return result;
    }),
  'deletion-sent-twice': (client) =>
    around(client, 'ehr', async (right, method, ...rest) => {
      const result = await right(method, ...rest);
      if (method === DISCONNECT) await anyway(right(method, ...rest));
      return result;
    }),
  'follows-redirects': () => {
    const right = globalThis.fetch;
    globalThis.fetch = (url, init) => right(url, { ...init, redirect: 'follow' });
  },
  // Keeping and forgetting.
  'stale-signature-sent-again': (client) => {
    let kept;
    around(client, 'show', (right, result) => {
      kept = result.user_sign ?? result.userSign;
      return right(result);
    });
    around(client, 'enterCode', async (right, action) => {
      const seen = await right(action);
      if (client.storage.session && kept) client.storage.signatures[client.storage.session.phone] = kept;
      client.save();
      return seen;
    });
  },
  'signature-in-memory': (client) =>
    around(client, 'restart', (right) => {
      client.storage.signatures = {};
      return right();
    }),
  'first-signature-kept': (client) =>
    around(client, 'show', (right, result) => {
      const { user_sign, userSign = user_sign, ...rest } = result;
      client.firstSign ??= userSign;
      return right({ ...rest, userSign: client.firstSign });
    }),
  'session-kept-after-deletion': (client) =>
    around(client, 'deleteAccount', async (right) => {
      const { session } = client.storage;
      const seen = await right();
      client.storage.session = session;
      client.save();
      return seen;
    }),
  'record-shown-after-disconnection': onSeen((seen, action, client) => {
    if (seen.sees === 'patient') client.kept = seen;
    return action.do === 'disconnect' && client.kept ? { ...client.kept, sees: 'form' } : seen;
  }),
  'record-in-storage': onSeen((seen, action, client) => {
    if (seen.sees === 'patient') client.kept = seen;
    return action.do === 'restart' && client.kept ? client.kept : seen;
  }),
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
  'takes-any-reply': () => takeAnyReply(() => true),
  'any-reply-of-auth-taken': () => takeAnyReply((method) => method.startsWith('auth.')),
  'wrong-code-ends-sign-in': onSeen((seen, action, client) => {
    if (action.do !== 'enterCode' || seen.sees !== 'code') return seen;
    client.phone = undefined;
    return { sees: 'signedOut', text: 'The sign-in has failed, please begin again.' };
  }),
  'no-match-closes-form': onSeen((seen, action, client) => {
    if (action.do !== 'fillForm' || seen.sees !== 'form') return seen;
    client.isFormOpen = false;
    return { ...seen, sees: 'error' };
  }),
  'says-nothing-at-errors': onSeen((seen) => (seen.sees === 'error' ? { ...seen, text: '' } : seen)),
  'name-of-reason-for-words': onSeen((seen) => (seen.sees === 'error' ? { ...seen, text: 'internal_error' } : seen)),
  'success-told-at-failure': onSeen((seen, action) =>
    action.do === 'logout' && seen.sees === 'error' ? { sees: 'signedOut', text: 'You are signed out.' } : seen,
  ),
  // Differences that no check may report.
  'ids-by-chance': onCall((call) => {
    call.id = randomUUID();
  }),
  'ids-large': onCall((call) => {
    call.id += 9_000_000_000;
  }),
  'connection-closed-each-time': withHeaders(() => ({ connection: 'close' })),
  'user-agent-of-its-own': withHeaders(() => ({ 'user-agent': 'Example/7.2 (a phone)' })),
  'no-cache-headers': withHeaders(() => ({ 'cache-control': 'no-store', pragma: 'no-cache' })),
  'escaped-json': onCall((call, request) => {
    request.body = JSON.stringify(call).replace(
      /[^ -~]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }),
  'newline-after-json': onCall((call, request) => {
    request.body = `${JSON.stringify(call)}\n`;
  }),
  'body-in-bytes': onCall((call, request) => {
    request.body = new TextEncoder().encode(JSON.stringify(call));
  }),
  'cred-members-swapped': onCall((call) => {
    if (call.cred) call.cred = { token: call.cred.token, user: call.cred.user };
  }),
  'strategy-named': onForm((_properties, params) => {
    params.searchStrategy = 'PHONE';
  }),
  'exchange-token-early': (client) =>
    around(client, 'readPatient', async (right, options) => {
      const seen = await right(options);
      if (seen.sees === 'form') await client.exchangeToken();
      return seen;
    }),
  'reads-after-link': (client) =>
    around(client, 'fillForm', async (right, action) => {
      const seen = await right(action);
      return seen.sees === 'patient' ? client.readPatient() : seen;
    }),
  'report-in-background': (client) =>
    around(client, 'report', (right, sign) => {
      void anyway(right(sign));
      return '';
    }),
  'slow-client': (client) =>
    around(client, 'act', async (right, action) => {
      await setTimeout(40);
      return right(action);
    }),
  'restart-signs-out': (client) =>
    around(client, 'restart', async (right) => {
      client.forgetSession();
      return right();
    }),
  'texts-in-german': onSeen((seen) => ({
    ...seen,
    text: seen.sees === 'patient' ? 'Ihre Akte.' : `Bitte lesen Sie genau: ${seen.text}`,
  })),
  'record-without-text': onSeen((seen) => (seen.sees === 'patient' ? { ...seen, text: '' } : seen)),
  'code-trimmed': (client) => around(client, 'enterCode', (right, { code }) => right({ code: ` ${code} `.trim() })),
  'gender-unknown-left-out': onForm((properties) => {
    if (properties.gender === 3) delete properties.gender;
  }),
  'language-asked-for': withHeaders(() => ({ 'accept-language': 'ru, en;q=0.5', accept: '*/*' })),
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
