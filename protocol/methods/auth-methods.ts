/** The methods of the mock authorization server, as data. The interface leaves them open (§5.4). */
import { z } from 'zod';
import { MAX_TOKEN_CHARS } from '../limits.ts';
import { authInfo, email, exchangeToken, nothing, phone, text } from '../wire/fields.ts';
import type { MethodTable } from './method-spec.ts';

const cred = { user: 'u-79990000001', token: 'Jx0c2Zl3…' };
const userSign = text(MAX_TOKEN_CHARS).describe('user_sign of an earlier link, kept by the client');
const attribute = {
  phone: phone.optional().describe('The phone whose ownership is confirmed'),
  email: email.optional().describe('An e-mail address instead of a phone'),
};
const oneAttribute = [
  ({ phone, email }: { phone?: string | undefined; email?: string | undefined }) =>
    (phone === undefined) !== (email === undefined),
  'must carry either phone or email',
] as const;
const signedIn = z.object({
  authInfo,
  linked: z.boolean().describe('Whether the EHR server holds this session already'),
});
const ehrFailures = ['ehr_unreachable', 'ehr_timeout', 'ehr_bad_reply', 'ehr_refused'] as const;
const authInfoExample = { user: cred.user, token: cred.token, ttl: 1440 };

export const authMethods = {
  'auth.request_otp': {
    clause: '§1 rule 8',
    summary:
      'Sends a one-time code to the phone or e-mail address. Known and unknown ones are answered alike.',
    access: 'client',
    cred: 'none',
    params: z.object(attribute).refine(...oneAttribute),
    result: z.object({
      digits: z.int().min(1).max(12).describe('Length of the code'),
      expiresIn: z.int().min(1).describe('Lifetime of the code, in seconds'),
      resendAfter: z.int().min(0).describe('When another code may be requested, in seconds'),
    }),
    errors: ['otp_throttled', 'otp_limit_reached'],
    example: { params: { phone: '79990000001' }, result: { digits: 6, expiresIn: 300, resendAfter: 30 } },
  },
  'auth.confirm_otp': {
    clause: '§1 rule 1',
    summary:
      'Confirms ownership with the code and opens a session. With a known user_sign the session is saved at the EHR server directly.',
    access: 'client',
    cred: 'none',
    params: z
      .object({ ...attribute, code: text(32), ehr_user_sign: userSign.nullish() })
      .refine(...oneAttribute),
    result: signedIn,
    errors: ['otp_wrong', 'otp_expired', 'otp_exhausted', 'user_unknown', ...ehrFailures],
    example: {
      params: { phone: '79990000001', code: '402913' },
      result: { authInfo: authInfoExample, linked: false },
    },
  },
  'auth.exchange_token': {
    clause: '§1 rule 4',
    summary: 'Makes an exchange token, stores it at the EHR server, then gives it to the client.',
    access: 'client',
    cred: 'session',
    params: nothing,
    result: z.object({ exchangeToken }),
    errors: ['session_expired', ...ehrFailures],
    example: { params: {}, cred, result: { exchangeToken: 'pY7mW2…' } },
  },
  'auth.report_link': {
    clause: '§1 rule 6',
    summary:
      'Tells that the EHR server has linked the user: the user_sign is kept and the session recorded at the EHR server.',
    access: 'client',
    cred: 'session',
    params: z.object({ user_sign: userSign }),
    result: nothing,
    errors: ['session_expired', 'user_unknown', ...ehrFailures],
    example: { params: { user_sign: 'hQ5kT0…' }, cred, result: {} },
  },
  'auth.logout': {
    clause: '§4.5',
    summary: 'Ends this session. The client calls it only after the EHR server has removed the session.',
    access: 'client',
    cred: 'session',
    params: nothing,
    result: nothing,
    errors: ['session_expired'],
    example: { params: {}, cred, result: {} },
  },
  'auth.delete_user': {
    clause: '§4.6',
    summary:
      "Deletes the user's data here: sessions, correspondence entry, user_sign. The EHR server is disconnected first.",
    access: 'client',
    cred: 'session',
    params: nothing,
    result: nothing,
    errors: ['session_expired'],
    example: { params: {}, cred, result: {} },
  },
  'auth.login': {
    clause: 'test set-ups',
    summary: 'Opens a session with no code at all. Served only with --allow-test-login.',
    access: 'client',
    cred: 'none',
    params: z.object({ user: text(256), ehr_user_sign: userSign.nullish() }),
    result: signedIn,
    errors: ['user_unknown', ...ehrFailures],
    example: { params: { user: 'u-79990000001' }, result: { authInfo: authInfoExample, linked: false } },
  },
} as const satisfies MethodTable;

export type AuthMethod = keyof typeof authMethods;
