/** Defects in one-time codes: shown, equal, predictable, short or meaningless ones. */
import { createHash } from 'node:crypto';
import type { Context } from '#mock-auth-server/context.ts';
import { acceptsCode, addedSession, codeOf, type Reply, withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

/** Changes the answer to a code request. */
function answersRequest(id: string, title: string, change: (reply: Reply, code: string) => Reply): Defect {
  return withPipeline(id, title, 'code-not-shown', (context) => async (call, pass) => {
    const reply = await pass(call);
    const code = call.method === 'auth.request_otp' ? codeOf(context, call.params.phone)[0]?.code : undefined;
    return code === undefined || !reply.result ? reply : change(reply, code);
  });
}

/** Draws the sent codes in another way; each maps to a code of the reference. */
export function drawsCodes(id: string, title: string, caughtBy: string, draw: () => (phone: string) => string): Defect {
  return withContext(id, title, caughtBy, (context): Context => {
    const { codes } = context;
    const sent = new Map<string, { shown: string; real: string }>();
    const next = draw();
    return {
      ...context,
      codes: {
        issue(attribute) {
          const real = codes.issue(attribute);
          const shown = next(attribute.value);
          sent.set(attribute.value, { shown, real });
          return shown;
        },
        claim(attribute, code) {
          const own = sent.get(attribute.value);
          return codes.claim(attribute, own?.shown === code ? own.real : 'none');
        },
      },
    };
  });
}

/** Confirms any code of this form, once a code was requested. */
const accepts = (id: string, title: string, caughtBy: string, isOdd: (code: unknown) => boolean) =>
  acceptsCode(id, title, caughtBy, (context, { phone, code }) => isOdd(code) && codeOf(context, phone).length > 0);

const counter = () => {
  let last = 481_200;
  return () => String(++last);
};

const CODE_IN_REPLY = { seenIn: ['glific/glific#236', 'rafa77-tech/whats-agents#144'] };
const WEAK_GENERATOR = {
  seenIn: ['F3-Nation/f3-nation#366', 'diia-open-source/be-user-service#63', 'abanobmikaeel/coptic.io#83'],
};
const EMPTY_CODE = { seenIn: ['mosip/esignet#2505', 'heapsource/active_model_otp#96'] };
const LONG_LIFE = { seenIn: ['wso2/product-is#19701', 'wrappid/auth-module#147'] };
const QUERY_OPERATOR = { seenIn: ['KathiraveluLab/Beehive#484'] };

const sessionInRefusal = withPipeline(
  'session-in-refusal',
  'The refusal of a wrong code carries a session of the user of that phone',
  'wrong-code-refused',
  (context) => async (call, pass) => {
    const reply = await pass(call);
    const user = context.store.directory.userOf({ kind: 'phone', value: String(call.params.phone) });
    if (call.method !== 'auth.confirm_otp' || !reply.error || user === undefined) return reply;
    const data = { ...reply.error.data, authInfo: addedSession(context, user) };
    return { ...reply, error: { ...reply.error, data } };
  },
);

export const codeDefects: readonly Defect[] = [
  {
    ...answersRequest('code-in-reply', 'The answer to the request of a code carries the code', (reply, code) => ({
      ...reply,
      result: { ...reply.result, debug: { code } },
    })),
    ...CODE_IN_REPLY,
  },
  answersRequest(
    'code-in-reference',
    'The answer carries a reference that is phone and code in base64url',
    (reply, code) => ({
      ...reply,
      result: { ...reply.result, reference: Buffer.from(`ref=1;${code}`).toString('base64url') },
    }),
  ),
  answersRequest(
    'code-in-address',
    'The answer carries an address of the sign-in page with the code',
    (reply, code) => ({
      ...reply,
      result: { ...reply.result, next: `https://auth.example/sign-in?code=${code}` },
    }),
  ),
  answersRequest(
    'code-hash-in-reference',
    'The answer carries a reference that is the SHA-256 of the code',
    (reply, code) => ({
      ...reply,
      result: { ...reply.result, reference: createHash('sha256').update(code).digest('base64url') },
    }),
  ),
  drawsCodes('same-code-for-all', 'Everybody is sent the same code', 'codes-differ', () => () => '424242'),
  drawsCodes('few-codes', 'Codes are drawn from a list of five', 'codes-differ', () => {
    let drawn = 0;
    return () => String(100_000 + ((drawn++ * 3) % 5) * 211_111);
  }),
  {
    ...drawsCodes('codes-counting', 'Each code is the one before plus one', 'codes-unpredictable', counter),
    ...WEAK_GENERATOR,
  },
  drawsCodes('codes-in-steps', 'Each code lies equally far from the one before', 'codes-unpredictable', () => {
    let last = 0;
    return () => {
      last = (last + 613_717) % 1_000_000;
      return String(last).padStart(6, '0');
    };
  }),
  drawsCodes(
    'code-from-phone',
    'A code is the end of the phone',
    'codes-unpredictable',
    () => (phone) => phone.slice(-6),
  ),
  drawsCodes('short-codes', 'Codes have three digits', 'code-length', () => {
    let drawn = 1;
    return () => {
      drawn = (drawn * 387) % 997;
      return String(drawn).padStart(3, '0');
    };
  }),
  { ...accepts('empty-code', 'An empty code is accepted', 'empty-code-refused', (code) => code === ''), ...EMPTY_CODE },
  accepts('no-code', 'A missing code is accepted', 'empty-code-refused', (code) => code === undefined),
  accepts('null-code', 'A code of null is accepted', 'empty-code-refused', (code) => code === null),
  accepts('list-as-code', 'A list in place of the code is accepted', 'code-must-be-text', Array.isArray),
  {
    ...accepts(
      'condition-as-code',
      'An object in place of the code becomes a condition that every code meets',
      'code-must-be-text',
      (code) => typeof code === 'object' && code !== null && '$ne' in code,
    ),
    ...QUERY_OPERATOR,
  },
  accepts(
    'true-as-code',
    'The value true is accepted in place of the code',
    'code-must-be-text',
    (code) => code === true,
  ),
  accepts(
    'built-in-code',
    'The code 123456 is accepted from everybody who requested one',
    'no-built-in-code',
    (code) => code === '123456',
  ),
  acceptsCode('phone-alone', 'A phone alone opens a session, whatever the code', 'phone-confirmed', () => true),

  sessionInRefusal,
  onShape('challenge', 'session-in-refusal', 'wrong-code-refused'),
  onShape('carried-sign', 'session-in-refusal', 'wrong-code-refused'),

  onShape('challenge', 'code-in-reply', 'code-not-shown', CODE_IN_REPLY),
  onShape('challenge', 'code-in-header', 'code-not-shown'),
  onShape('challenge', 'code-in-challenge', 'code-not-shown'),
  onShape('challenge', 'code-same-for-all', 'codes-differ'),
  onShape('challenge', 'codes-counting', 'codes-unpredictable', WEAK_GENERATOR),
  onShape('challenge', 'codes-from-clock', 'codes-unpredictable'),
  onShape('challenge', 'empty-code-accepted', 'empty-code-refused', EMPTY_CODE),
  onShape('challenge', 'array-code-accepted', 'code-must-be-text', QUERY_OPERATOR),
  onShape('challenge', 'master-code', 'no-built-in-code'),
  onShape('challenge', 'old-challenge-lives', 'superseded-code-refused'),
  onShape('challenge', 'no-confirmation', 'wrong-code-refused'),
  onShape('challenge', 'codes-never-expire', 'expired-code-refused', LONG_LIFE),
  onShape('challenge', 'code-works-twice', 'used-code-refused'),

  onShape('carried-sign', 'code-in-reply', 'code-not-shown', CODE_IN_REPLY),
  onShape('carried-sign', 'code-from-phone', 'codes-unpredictable'),
  onShape('carried-sign', 'codes-counting', 'codes-unpredictable', WEAK_GENERATOR),
  onShape('carried-sign', 'codes-from-clock', 'codes-unpredictable'),
  onShape('carried-sign', 'empty-code-accepted', 'empty-code-refused', EMPTY_CODE),
  onShape('carried-sign', 'null-code-accepted', 'empty-code-refused', EMPTY_CODE),
  onShape('carried-sign', 'master-code', 'no-built-in-code'),
  onShape('carried-sign', 'older-code-accepted', 'superseded-code-refused'),
  onShape('carried-sign', 'code-of-any-phone', 'foreign-code-refused'),
  onShape('carried-sign', 'codes-never-expire', 'expired-code-refused', LONG_LIFE),
  onShape('carried-sign', 'code-works-twice', 'used-code-refused'),
  onShape('carried-sign', 'no-confirmation', 'phone-confirmed'),
];
