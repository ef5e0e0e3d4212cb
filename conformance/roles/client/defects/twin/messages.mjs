/** Messages of a wrong form. */
import { createHash } from 'node:crypto';
import { AUTHENTICATE, anyway, around, DISCONNECT, LOGOUT, onCall, onForm, onWire } from './parts.mjs';

export const messages = {
  'gender-zero-left-out': onForm((properties) => {
    if (!properties.gender) delete properties.gender;
  }),
  'code-as-number': onCall(({ params }) => {
    params.code = Number(params.code);
  }, 'auth.confirm_otp'),
  'leading-zero-dropped': onCall(({ params }) => {
    params.code = String(Number(params.code));
  }, 'auth.confirm_otp'),
  'sign-in-another-member': onCall(({ params }) => {
    params.user_sign = params.ehr_user_sign;
    delete params.ehr_user_sign;
  }, 'auth.confirm_otp'),
  'card-without-number': onForm((_properties, params) => {
    params.searchStrategy = 'MEDCARD';
  }),
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
    call.params = [call.cred.user];
  }, 'auth.logout'),
  'params-as-text': onCall((call) => {
    call.params = 'none';
  }, 'patient.get_patient'),
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
      call.params = [call.cred.user];
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
  'version-in-capitals': onCall((_call, request) => {
    request.url = request.url.replace('alpha', 'ALPHA');
  }, LOGOUT),
  'jsonrpc-left-out': onCall((call) => {
    delete call.jsonrpc;
  }, LOGOUT),
  'id-left-out': onCall((call) => {
    delete call.id;
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
  'extension-joined': (client) => {
    let typed = '';
    around(client, 'fillForm', (right, action) => {
      typed = action.values.phone;
      return right(action);
    });
    onForm((properties) => {
      properties.phone = typed.replace(/\D/g, '');
    })(client);
  },
  'token-in-params-of-authenticate': (client) =>
    onForm((_properties, params) => {
      params.authInfo = { user: client.storage.session.user, token: client.storage.session.token };
    })(client),
};
