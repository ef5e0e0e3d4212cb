/** Defects in what opens a session: no token, or codes and tokens that are nearly right or built in. */
import { acceptsCode, codeOf } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';
import { recognising } from './others-session.ts';

const sorted = (text: unknown) => (typeof text === 'string' ? [...text].sort().join('') : '');

const SIX_DIGITS = 6;

export const recognisedDefects: readonly Defect[] = [
  recognising(
    'no-token-opens-last',
    'A request without a token opens the last session of the user it names',
    'exchange-token-needs-session',
    (given, { method, cred }) =>
      method === 'auth.exchange_token' && cred?.token === undefined
        ? given.findLast(({ user }) => user === cred?.user)
        : undefined,
  ),
  recognising(
    'report-without-token',
    'A report without a token is taken for the last session of the user it names',
    'report-needs-session',
    (given, { method, cred }) =>
      method === 'auth.report_link' && cred?.token === undefined
        ? given.findLast(({ user }) => user === cred?.user)
        : undefined,
  ),
  recognising(
    'last-character-not-compared',
    'A session is found by its token without the last character',
    'part-of-session-refused',
    (given, { cred }) => given.find(({ token }) => token.slice(0, -1) === cred?.token?.slice(0, -1)),
  ),
  acceptsCode(
    'digits-in-any-order',
    'The digits of a code are compared without their order',
    'whole-code-compared',
    (context, { phone, code }) => sorted(code) === sorted(codeOf(context, phone)[0]?.code ?? '-'),
  ),
  acceptsCode('date-as-code', 'Day, month and year confirm every phone', 'no-built-in-code', ({ clock }, { code }) => {
    const today = new Date(clock.now()).toISOString().slice(2, 10).split('-').reverse().join('');
    return typeof code === 'string' && code.length === SIX_DIGITS && code === today;
  }),
  onShape('challenge', 'no-bearer-opens-last', 'exchange-token-needs-session'),
  onShape('challenge', 'last-character-not-compared', 'part-of-session-refused'),
  onShape('challenge', 'digits-in-any-order', 'whole-code-compared'),
  onShape('challenge', 'date-as-code', 'no-built-in-code'),
];
