/** Calls that are made twice, again and again, or behind the back of the person. */
import { AUTHENTICATE, anyway, around, takeAnyReply } from './parts.mjs';

const read = 'patient.get_patient';

/** Repeats a call of the authorization server when it fails in some way. */
const repeating = (method, isMet) => (client) =>
  around(client, 'auth', (right, called, ...rest) =>
    right(called, ...rest).catch((error) => {
      if (called === method && isMet(error)) return right(called, ...rest);
      throw error;
    }),
  );

/** Calls a method of the authorization server once more after its success. */
const again = (method) => (client) =>
  around(client, 'auth', async (right, called, ...rest) => {
    const result = await right(called, ...rest);
    if (called === method) await anyway(right(called, ...rest));
    return result;
  });

const hasNoAnswer = ({ code }) => code === 'no_answer';

export const once = {
  'code-asked-for-twice': again('auth.request_otp'),
  'link-made-twice': (client) =>
    around(client, 'authenticate', async (right, ...given) => {
      await right(...given);
      return right(...given);
    }),
  'reported-twice': again('auth.report_link'),
  'reported-at-each-read': (client) =>
    around(client, 'show', (right, result) => {
      client.storage.session.isUnreported = true;
      return right(result);
    }),
  'two-exchange-tokens': again('auth.exchange_token'),
  'form-sent-again-when-nobody-fits': (client) =>
    around(client, 'ehr', (right, method, ...rest) =>
      right(method, ...rest).catch((error) => {
        if (method === AUTHENTICATE && error.code === -34001) return right(method, ...rest);
        throw error;
      }),
    ),
  'code-sent-again-without-answer': repeating('auth.confirm_otp', hasNoAnswer),
  'code-asked-for-again-without-answer': repeating('auth.request_otp', hasNoAnswer),
  'form-sent-again-without-answer': (client) =>
    around(client, 'ehr', (right, method, ...rest) =>
      right(method, ...rest).catch((error) => {
        if (method === AUTHENTICATE && hasNoAnswer(error)) return right(method, ...rest);
        throw error;
      }),
    ),
  'sign-in-begun-anew-without-answer': (client) =>
    around(client, 'confirm', (right, ...given) =>
      right(...given).catch(async (error) => {
        if (hasNoAnswer(error)) await client.resend();
        throw error;
      }),
    ),
  'code-asked-for-when-wrong': (client) =>
    around(client, 'confirm', (right, ...given) =>
      right(...given).catch(async (error) => {
        if (error.code === -35000) await client.resend();
        throw error;
      }),
    ),
  'exchange-tokens-without-end': (client) => {
    around(client, 'authenticate', async (right, params) => {
      for (let turn = 0; turn < 8; turn += 1) {
        const failed = await right(params).catch((error) => ({ error }));
        if (!failed.error) return failed;
        if (failed.error.code !== -33001) throw failed.error;
      }
      return right(params);
    });
  },
  'reads-without-end': (client) =>
    around(client, 'ehr', async (right, method, ...rest) => {
      if (method !== read) return right(method, ...rest);
      for (let turn = 0; turn < 15; turn += 1) {
        const failed = await right(method, ...rest).catch((error) => ({ error }));
        if (!failed.error) return failed;
      }
      return right(method, ...rest);
    }),
  'replayed-session-adopted': () => takeAnyReply((method) => method === 'auth.confirm_otp'),
  'any-reply-ends-session': () => takeAnyReply((method) => method === 'auth.logout'),
  'any-reply-deletes': () => takeAnyReply((method) => method === 'auth.delete_user'),
  'any-reply-is-report': () => takeAnyReply((method) => method === 'auth.report_link'),
};
