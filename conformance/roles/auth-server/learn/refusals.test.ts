import { expect, test } from 'vitest';
import { asked, learned } from './testing/asked.ts';

const TOKEN = 'tokTok8877665544aa';
const WRONG = 'No refusal was found: type one wrong code while recording.';
const phone = '79161234567';
const session = { authorization: `Bearer ${TOKEN}` };

/** A sign-in whose answers have these members, and a refused one before it. */
const signIn = (ok: object, refused?: [status: number, body: object]) => [
  asked('POST', '/otp', {}, { phone }, [200, ok]),
  ...(refused ? [asked('POST', '/login', {}, { phone, code: '0000' }, refused)] : []),
  asked('POST', '/login', {}, { phone, code: '4821' }, [200, { ...ok, token: TOKEN }]),
  asked('POST', '/logout', session, {}, [200, ok]),
];

test('without a wrong code any other value of the flag is a refusal', () => {
  const { steps, left } = learned(...signIn({ status: 'ok' }));
  for (const step of [steps.requestOtp, steps.confirmOtp, steps.logout]) {
    expect(step.success).toEqual({ pointer: '/status', equals: 'ok' });
    expect(step).not.toHaveProperty('refusal');
  }
  expect(left).toContain(WRONG);
});

test.each([
  [
    { status: 'error', code: 'WRONG', text: 'No' },
    { code: '/code', reason: '/text' },
  ],
  [{ status: 'error', text: 'No' }, { reason: '/text' }],
  [{ status: 'error' }, undefined],
])('the flag of a success is no code of the refusal %j', (refusal, expected) => {
  const { steps, left } = learned(...signIn({ status: 'ok' }, [200, refusal]));
  const { success, refusal: found } = steps.confirmOtp;
  expect([success, found]).toEqual([{ pointer: '/status', equals: 'ok' }, expected]);
  expect(left).not.toContain(WRONG);
});

test('a sentence is the reason of a refusal, a word its code', () => {
  const refusal = { error: 'invalid_grant', error_description: 'The code is wrong.' };
  const { steps } = learned(...signIn({}, [400, refusal]));
  expect(steps.confirmOtp.refusal).toEqual({ code: '/error', reason: '/error_description' });
});

test('a number that tells success is the code of a refusal, too', () => {
  const { steps } = learned(...signIn({ code: 0 }, [200, { code: 12, message: 'No' }]));
  expect(steps.confirmOtp).toMatchObject({
    success: { pointer: '/code', equals: 0 },
    refusal: { code: '/code', reason: '/message' },
  });
});

test('the own code of a server is taken before the type of a problem', () => {
  const problem = { type: 'https://clinic.test/wrong', title: 'Wrong', status: 401, errorCode: 'WRONG' };
  const { steps } = learned(...signIn({}, [401, problem]));
  expect(steps.confirmOtp.refusal).toEqual({ code: '/errorCode', reason: '/title' });
  const field = { message: 'The code is wrong.', errors: { code: ['The code is wrong.'] } };
  expect(learned(...signIn({}, [422, field])).steps.confirmOtp.refusal).toEqual({ reason: '/message' });
});

test('a recording that sends the token is not said to lack it', () => {
  const own = { 'user-agent': 'Browser' };
  const { left } = learned(
    asked('POST', '/otp', own, { phone }, [200, {}]),
    asked('POST', '/login', own, { phone, code: '4821' }, [200, { sid: TOKEN }]),
    asked('POST', '/logout', own, { sid: TOKEN }, [200, {}]),
  );
  expect(left.join(' ')).not.toContain('neither cookies nor Authorization headers');
});
