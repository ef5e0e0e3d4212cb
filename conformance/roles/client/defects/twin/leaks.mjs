/** Patient data and secrets where they must not be. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { anyway, around, LOGOUT, noteToAuth, onCall, onWire, typing, withHeaders } from './parts.mjs';

/** A note beside the report of the link, made of what was typed. */
const reported = (noteOf) =>
  typing(noteToAuth('auth.report_link', ({ typed, storage }) => typed && noteOf(typed, storage)));

const hash = (algorithm, text, form = 'hex') => createHash(algorithm).update(text).digest(form);

export const leaks = {
  'surname-hashed-in-small-letters-to-auth': reported(({ surname }) => hash('sha256', surname.toLowerCase())),
  'names-hashed-together-to-auth': reported(({ name, surname }) =>
    hash('sha512', `${name} ${surname}`.toLowerCase(), 'base64'),
  ),
  'form-compressed-to-auth': reported((typed) => gzipSync(JSON.stringify(typed)).toString('base64')),
  'form-in-utf-16-to-auth': reported((typed) => Buffer.from(JSON.stringify(typed), 'utf16le').toString('base64')),
  'surname-coded-twice-to-auth': reported(({ surname }) => btoa(Buffer.from(surname).toString('base64'))),
  'phone-with-signs-to-auth': reported(({ phone }) =>
    phone.replace(/^(\d)(\d{3})(\d{3})(\d\d)(\d\d)$/, '+$1 ($2) $3-$4-$5'),
  ),
  'birthday-in-words-to-auth': reported(({ date }) =>
    new Date(date).toLocaleDateString('ru', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
  ),
  'surname-reversed-to-auth': reported(({ surname }) => [...surname].reverse().join('')),
  'birthday-in-seconds-to-auth': reported(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000),
  'year-of-birth-to-auth': reported(({ date }) => Number(date.slice(0, 4))),
  'gender-to-auth': reported(({ gender }) => gender),
  'policy-to-auth': (client) => {
    around(client, 'show', (right, result) => {
      client.policy = result.patient?.insurances?.[0]?.policyNumber;
      return right(result);
    });
    noteToAuth('auth.report_link', () => client.policy)(client);
  },
  'name-of-mail-to-auth': (client) => {
    around(client, 'show', (right, result) => {
      client.mail = result.patient?.email?.split('@')[0];
      return right(result);
    });
    noteToAuth('auth.report_link', () => client.mail)(client);
  },
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
  'birthday-hashed-to-auth': reported(({ date }) => hash('sha256', date)),
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
  'surname-transliterated-in-user-agent': sending(({ surname }, request) => {
    addHeader(request, 'user-agent', `Client/1 (${transliterated(surname)})`);
  }),
  'initials-and-year-in-id': sending(({ name, surname, date }, { call }) => {
    call.id = `${call.id}-${transliterated(name[0] + surname[0])}${date.slice(0, 4)}`;
  }),
  'surname-split-over-calls': sending(({ surname }, request) => {
    const at = ['auth.exchange_token', 'auth.report_link', 'auth.logout'].indexOf(request.call.method);
    addHeader(request, 'x-part', encodeURIComponent(surname.slice(at * 4, at * 4 + 4)));
  }),
  'birthday-split-over-members': sending(({ date }, { call }) => {
    const [year, month, day] = date.split('-').map(Number);
    Object.assign(call, { y: year - 1900, m: month, d: day });
  }),
  'surname-hashed-with-salt': sending(({ surname }, request) => {
    addHeader(request, 'x-client', hash('sha256', `salt of its own ${surname}`));
  }),
  'phone-shifted-in-address': sending(({ phone }, request) => {
    request.url += `?n=${Number(phone) * 7 + 3}`;
  }),
  'gender-told-by-number-of-calls': (client) =>
    around(client, 'fillForm', async (right, action) => {
      const seen = await right(action);
      if (action.values.gender === 0) await anyway(client.auth('auth.exchange_token', {}, client.storage.session));
      return seen;
    }),
};

/** Changes the calls of the authorization server after a form was filled in. */
function sending(change) {
  return typing((client) =>
    onWire((request) => {
      if (client.typed && request.call.method.startsWith('auth.')) change(client.typed, request);
    }),
  );
}

function addHeader(request, name, value) {
  request.init.headers = { ...request.init.headers, [name]: value };
}

/** As in a passport, so far as a test needs it. */
const transliterated = (text) =>
  [...text].map((letter) => (letter > '~' ? ((letter.codePointAt(0) % 26) + 10).toString(36) : letter)).join('');
