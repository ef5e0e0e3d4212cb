/** What becomes of a person's slips: at the sign-in, in the form, and of replies that are no success. */
import { AUTHENTICATE, anyway, around, onForm, onSeen } from './parts.mjs';

export const slips = {
  'first-phone-confirmed': (client) => {
    let first;
    around(client, 'signIn', (right, action) => {
      first ??= action.phone;
      return right(action);
    });
    around(client, 'confirm', (right, _phone, ...rest) => right(first, ...rest));
  },
  'exchange-token-of-another-person': (client) => {
    let kept;
    around(client, 'exchangeToken', async (right) => {
      kept ??= await right();
      return kept;
    });
    around(client, 'ehr', async (right, method, ...rest) => {
      const result = await right(method, ...rest);
      if (method === AUTHENTICATE) kept = undefined;
      return result;
    });
  },
  'failed-deletion-hidden': (client) =>
    around(client, 'deleteAccount', (right) =>
      right().catch((error) => {
        if (!client.storage.session?.endedBy) throw error;
        client.forgetSession();
        return { sees: 'signedOut', text: 'Your account is deleted.' };
      }),
    ),
  'record-shown-till-end': onSeen((seen, action, client) => {
    if (seen.sees === 'patient') client.kept = seen;
    const isHalf = action.do === 'logout' && seen.sees === 'error' && client.storage.session?.endedBy;
    return isHalf && client.kept ? { ...client.kept, text: seen.text } : seen;
  }),
  'json-of-error-shown': onSeen((seen) =>
    ['patient', 'code'].includes(seen.sees) ? seen : { ...seen, text: JSON.stringify({ error: seen.text }) },
  ),
  'stack-shown': onSeen((seen) =>
    ['patient', 'form'].includes(seen.sees) ? seen : { ...seen, text: new Error('no answer').stack },
  ),
  'apostrophe-dropped': onForm((properties) => {
    properties.surname = properties.surname.replace("'", '');
  }),
  'resend-does-nothing': (client) =>
    around(client, 'act', (right, action) =>
      action.do === 'resend' ? { sees: 'code', text: 'Please wait for the code.' } : right(action),
    ),
  'wrong-code-sent-again': (client) =>
    around(client, 'confirm', async (right, ...given) => {
      for (let turn = 0; turn < 2; turn += 1) {
        const error = await right(...given).then(
          (result) => ({ result }),
          (refused) => refused,
        );
        if (error.result) return error.result;
        if (error.code !== -35000) throw error;
      }
      return right(...given);
    }),
  'old-code-told-as-wrong': (client) =>
    around(client, 'confirm', (right, ...given) =>
      right(...given).catch((error) => {
        throw [-35001, -35002].includes(error.code) ? Object.assign(error, { code: -35000 }) : error;
      }),
    ),
  'signature-dropped-at-expiry': (client) =>
    around(client, 'readPatient', async (right, options) => {
      const seen = await right(options);
      if (seen.sees === 'form' && client.storage.session)
        delete client.storage.signatures[client.storage.session.phone];
      client.save();
      return seen;
    }),
  'stale-signature-locks-out': (client) =>
    around(client, 'confirm', async (right, phone, code, sign) => {
      const result = await right(phone, code, sign);
      if (sign && result.linked === false) throw Object.assign(new Error('stale'), { code: -36003 });
      return result;
    }),
  'empty-field-swallowed': onSeen((seen, action) =>
    action.do === 'fillForm' && seen.text.startsWith('Please fill in') ? { ...seen, text: '' } : seen,
  ),
  'form-gone-after-gap': onSeen((seen, action, client) => {
    if (action.do !== 'fillForm' || !seen.text.startsWith('Please fill in')) return seen;
    client.forgetSession();
    return { sees: 'signedOut', text: 'Please begin again from the start.' };
  }),
  'phone-as-typed-sent': (client) => {
    let typed;
    around(client, 'fillForm', (right, action) => {
      typed = action.values?.phone;
      return right(action);
    });
    onForm((properties) => {
      properties.phone = typed;
    })(client);
  },
  'second-name-dropped': onForm((properties) => {
    properties.name = properties.name.split(' ')[0];
  }),
  'surname-cut-to-last-word': onForm((properties) => {
    properties.surname = properties.surname.split(' ').at(-1);
  }),
  'gender-made-up': onForm((properties) => {
    properties.gender ??= 0;
  }),
  'empty-result-taken-for-link': (client) =>
    around(client, 'show', (right, result) =>
      result.patient ? right(result) : { sees: 'patient', text: 'Your record is connected.' },
    ),
  'error-beside-result-ignored': () => {
    const right = globalThis.fetch;
    globalThis.fetch = async (url, init) => {
      const response = await right(url, init);
      const text = await response.text();
      if (!response.ok || !text.startsWith('{')) return new Response(text, { status: response.status });
      const { error, ...reply } = JSON.parse(text);
      return new Response(JSON.stringify(reply.result ? reply : { ...reply, error }));
    };
  },
  'report-without-signature': (client) =>
    around(client, 'report', async (right, sign) => {
      await anyway(client.auth('auth.report_link', {}, client.storage.session));
      return right(sign);
    }),
};
