/** Differences that no check may report. */
import { createHash } from 'node:crypto';
import {
  anyway,
  around,
  DISCONNECT,
  keepsToken,
  LOGOUT,
  now,
  onCall,
  onForm,
  onSeen,
  withHeaders,
  withIds,
} from './parts.mjs';

export const harmless = {
  'signature-by-its-first-name': (client) =>
    around(client, 'show', (right, { patient, user_sign }) => right({ patient, user_sign })),
  'signature-by-its-other-name': (client) =>
    around(client, 'show', (right, { patient, userSign }) => right({ patient, userSign })),
  'signature-not-kept': (client) =>
    around(client, 'show', async (right, result) => {
      const seen = await right(result);
      client.storage.signatures = {};
      client.save();
      return seen;
    }),
  'ids-by-chance': withIds((id) => `call-${id}-of-this-client`),
  'ids-large': withIds((id) => id + 9_000_000_000),
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
  'params-left-out': onCall(
    (call) => {
      delete call.params;
    },
    'auth.logout',
    'patient.get_patient',
  ),
  'params-as-empty-list': onCall(
    (call) => {
      call.params = [];
    },
    'auth.exchange_token',
    LOGOUT,
    DISCONNECT,
  ),
  'path-without-slash': onCall((_call, request) => {
    request.url = request.url.replace(/\/$/, '');
  }),
  'looks-after-odd-reply': (client) =>
    around(client, 'authenticate', (right, ...given) =>
      right(...given).catch(async (error) => {
        if (error.code !== 'no_answer') throw error;
        const found = await client.ehr('patient.get_patient', {}).catch(() => undefined);
        if (!found?.patient) throw error;
        return found;
      }),
    ),
  'name-in-capitals': onForm((properties) => {
    properties.name = properties.name.toUpperCase();
  }),
  'traced-by-a-header': withHeaders(({ id }) => ({
    'x-request-id': createHash('md5').update(`call ${id}`).digest('hex'),
  })),
  'cred-null': onCall((call) => {
    call.cred ??= null;
    call.apiKey = null;
  }),
  'card-empty': onForm((_properties, params) => {
    Object.assign(params, { searchStrategy: 'PHONE', medCardId: '' });
  }),
  'gender-null': onForm((properties) => {
    properties.gender = null;
  }),
  'read-repeated-once': (client) =>
    around(client, 'ehr', (right, method, ...rest) =>
      right(method, ...rest).catch((error) => {
        if (method !== 'patient.get_patient' || error.code !== 'no_answer') throw error;
        return right(method, ...rest);
      }),
    ),
  'phone-with-signs-refused': (client) =>
    around(client, 'fillForm', (right, action) =>
      /\D/.test(action.values.phone) ? { sees: 'form', text: 'Please write the phone in digits.' } : right(action),
    ),
  'gender-required': (client) =>
    around(client, 'fillForm', (right, action) =>
      action.values.gender === undefined ? { sees: 'form', text: 'Please choose a gender.' } : right(action),
    ),
  'blanks-around-surname': onForm((properties) => {
    properties.surname = ` ${properties.surname}  `;
  }),
  'exchange-token-early': (client) => {
    keepsToken(client);
    around(client, 'readPatient', async (right, options) => {
      const seen = await right(options);
      if (seen.sees === 'form') await anyway(client.exchangeToken());
      return seen;
    });
  },
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
  'ids-with-gaps': withIds((id) => id * 7),
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
  'exchange-token-kept-for-tries': keepsToken,
  'reads-once-more': (client) =>
    around(client, 'readPatient', async (right, options) => {
      const seen = await right(options);
      return seen.sees === 'patient' ? right(options) : seen;
    }),
  'longer-texts': onSeen((seen) => ({
    ...seen,
    text: `${seen.text} Our service desk is there for you, day and night.`,
  })),
  'sign-in-refused-while-signed-in': (client) =>
    around(client, 'signIn', (right, action) =>
      client.storage.session ? { sees: 'error', text: 'Please log out first.' } : right(action),
    ),
  'words-with-numbers': onSeen((seen) => ({ ...seen, text: `${seen.text} Call 555-33000, 9 to 17 (or "help").` })),
  'reads-before-form': (client) =>
    around(client, 'fillForm', async (right, action) => {
      if (client.isFormOpen) await client.readPatient();
      return right(action);
    }),
  'record-in-part': onSeen((seen) =>
    seen.patient ? { ...seen, patient: { name: seen.patient.name, surname: seen.patient.surname } } : seen,
  ),
  'record-in-capitals': onSeen((seen) =>
    seen.patient ? { ...seen, patient: JSON.parse(JSON.stringify(seen.patient, inCapitals)) } : seen,
  ),
  'client-id-drawn': withHeaders(() => ({ 'x-request-id': drawn(), 'x-time': String(now()) })),
  'new-code-when-used-up': (client) =>
    around(client, 'confirm', (right, ...given) =>
      right(...given).catch(async (error) => {
        if ([-35001, -35002].includes(error.code)) await anyway(client.resend());
        throw error;
      }),
    ),
  'texts-in-chinese': onSeen((seen) => ({
    ...seen,
    text: seen.text
      .toLowerCase()
      .replace(/[^a-z]/g, '')
      .replace(/[a-z]/g, (letter) => String.fromCodePoint(0x4e00 + letter.codePointAt(0) * 7)),
  })),
  'disconnection-told-apart': onSeen((seen, action) =>
    action.do === 'disconnect' && seen.sees === 'form'
      ? { sees: 'error', text: 'Your record is disconnected. Open it to connect it again.' }
      : seen,
  ),
  'birthdate-as-day': onSeen((seen) =>
    seen.patient ? { ...seen, patient: { ...seen.patient, birthdate: seen.patient.birthdate.slice(0, 10) } } : seen,
  ),
};

const inCapitals = (_name, value) => (typeof value === 'string' ? value.toUpperCase() : value);

let drawings = 0;

/** Differs at each call. */
function drawn() {
  drawings += 1;
  return createHash('md5').update(`${process.pid} ${now()} ${drawings}`).digest('hex');
}
