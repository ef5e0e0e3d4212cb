import fc from 'fast-check';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { startWorld } from '#e2e/world.ts';
import { type MovableClock, manualClock } from '#protocol/clock.ts';
import type { Cred } from '#protocol/method-spec.ts';
import { seededRandom } from '#protocol/random.ts';
import { personas, propertiesOf } from '../personas.ts';
import { authHandlers } from './auth-handlers.ts';
import { ehrHandlers } from './ehr-handlers.ts';
import { type AnyReply, AUTH, callerOn, EHR, ENDPOINT } from './testing.ts';

/** A pair of servers for the actors: the real ones over HTTP, or the handlers. */
type Servers = {
  clock: MovableClock;
  toEhr: (method: string, params?: unknown, cred?: Cred) => Promise<AnyReply>;
  toAuth: (method: string, params?: unknown, cred?: Cred) => Promise<AnyReply>;
  codeFor(phone: string): string;
};

type Actor = { phone: string; cred: Cred; userSign: string | undefined; exchangeToken: string };
type Step = { who: number; act: keyof typeof acts; arg: number };

const NOBODY: Cred = { user: 'nobody', token: 'none' };
const PHONES = [personas.anna.signIn, personas.boris.signIn, personas.orphan.signIn];
const TYPED: unknown[] = [
  propertiesOf(personas.anna),
  propertiesOf(personas.boris),
  propertiesOf(personas.orphan),
  propertiesOf(personas.namesakes),
  { ...propertiesOf(personas.anna), name: 'Ann' },
  { name: 'Anna' },
  { phone: '8 999 000-00-01', searchStrategy: 'MEDCARD', medCardId: 'a-1001' },
];
const JUMPS_MS = [10_000, 31_000, 5 * 60_000, 9 * 60_000, 600_000, 1440 * 60_000];

/** The actions of an actor. Each stores what it receives and returns the reply. */
const acts = {
  async signIn({ toAuth, codeFor }: Servers, actor: Actor) {
    const { phone, userSign } = actor;
    const sent = await toAuth('auth.request_otp', { phone });
    if (sent.error) return sent;
    const reply = await toAuth('auth.confirm_otp', {
      phone,
      code: codeFor(phone),
      ...(userSign !== undefined && { ehr_user_sign: userSign }),
    });
    if (reply.result?.authInfo) actor.cred = { user: reply.result.authInfo.user, token: reply.result.authInfo.token };
    // Like the web client, drops a signature that is not honoured.
    if (reply.result?.linked !== true) actor.userSign = undefined;
    return reply;
  },
  request: ({ toAuth }: Servers, { phone }: Actor) => toAuth('auth.request_otp', { phone }),
  confirm: ({ toAuth, codeFor }: Servers, { phone }: Actor) =>
    toAuth('auth.confirm_otp', { phone, code: codeFor(phone) }),
  confirmWrongly: ({ toAuth }: Servers, { phone }: Actor) => toAuth('auth.confirm_otp', { phone, code: 'wrong' }),
  async exchange({ toAuth }: Servers, actor: Actor) {
    const reply = await toAuth('auth.exchange_token', {}, actor.cred);
    actor.exchangeToken = reply.result?.exchangeToken ?? actor.exchangeToken;
    return reply;
  },
  exchangeUnused: ({ toAuth }: Servers, { cred }: Actor) => toAuth('auth.exchange_token', {}, cred),
  async authenticate({ toEhr }: Servers, actor: Actor, arg: number) {
    const reply = await toEhr('embedded_storage.authenticate', {
      exchangeToken: actor.exchangeToken,
      patientProperties: TYPED[arg % TYPED.length],
    });
    actor.userSign = reply.result?.userSign ?? actor.userSign;
    return reply;
  },
  report: ({ toAuth }: Servers, { cred, userSign }: Actor) =>
    toAuth('auth.report_link', { user_sign: userSign ?? 'none' }, cred),
  read: ({ toEhr }: Servers, { cred }: Actor) => toEhr('patient.get_patient', {}, cred),
  leaveEhr: ({ toEhr }: Servers, { cred }: Actor) => toEhr('embedded_storage.remove_auth_info', {}, cred),
  disconnect: ({ toEhr }: Servers, { cred }: Actor) => toEhr('embedded_storage.remove_authentication', {}, cred),
  logout: ({ toAuth }: Servers, { cred }: Actor) => toAuth('auth.logout', {}, cred),
  deleteUser: ({ toAuth }: Servers, { cred }: Actor) => toAuth('auth.delete_user', {}, cred),
  async wait({ clock }: Servers, _actor: Actor, arg: number): Promise<AnyReply> {
    clock.advance(JUMPS_MS[arg % JUMPS_MS.length] as number);
    return { id: null, result: {} };
  },
};

async function play(servers: Servers, steps: readonly Step[]): Promise<unknown[]> {
  const actors = PHONES.map((phone): Actor => ({ phone, cred: NOBODY, userSign: undefined, exchangeToken: 'none' }));
  const outcomes: unknown[] = [];
  for (const { who, act, arg } of steps) {
    const reply = await acts[act](servers, actors[who] as Actor, arg);
    outcomes.push([who, act, reply.error?.data ?? comparable(reply.result)]);
  }
  return outcomes;
}

/**
 * A server deletes an expired code some time after an hour, the handlers never do. Both answers are right.
 */
function withoutPurge(outcomes: unknown[]): unknown[] {
  return JSON.parse(JSON.stringify(outcomes).replaceAll('"otp_expired"', '"otp_wrong"'));
}

/**
 * Returns the parts of a result on which both must agree: everything but the random tokens and signatures.
 */
function comparable(result: AnyReply['result']): unknown {
  const { user_sign, userSign, exchangeToken, authInfo, ...rest } = result ?? {};
  return {
    ...rest,
    signs: user_sign === userSign && typeof userSign,
    exchangeToken: typeof exchangeToken,
    ...(authInfo && { authInfo: { ...authInfo, user: typeof authInfo.user, token: authInfo.token.length } }),
  };
}

async function playReal(steps: readonly Step[]): Promise<unknown[]> {
  const world = await startWorld({
    env: { AUTH_WITHOUT_CORRESPONDENCE: personas.orphan.signIn, AUTH_OTP_RESEND_AFTER: '30' },
  });
  try {
    const codeFor = (phone: string) => world.auth.latestMessage(phone)?.code ?? 'none';
    const { clock } = world;
    return await play({ clock, toEhr: callerOn(world.ehr.endpoint), toAuth: callerOn(world.auth.url), codeFor }, steps);
  } finally {
    await world.stop();
  }
}

async function playMocked(steps: readonly Step[]): Promise<unknown[]> {
  const clock = manualClock();
  const ehr = ehrHandlers({ url: EHR, clock, random: seededRandom(1) });
  const auth = authHandlers({ url: AUTH, ehr });
  const server = setupServer(...ehr, ...auth);
  server.listen({ onUnhandledRequest: 'error' });
  try {
    return await play(
      {
        clock,
        toEhr: callerOn(ENDPOINT),
        toAuth: callerOn(AUTH),
        codeFor: (phone) => auth.outbox.messages(phone)[0]?.code ?? 'none',
      },
      steps,
    );
  } finally {
    server.close();
  }
}

const step = (who: number, act: Step['act'], arg = 0): Step => ({ who, act, arg });

/** A fixed sequence that reaches every reason, so that the rare answers are compared in every run. */
const tour: Step[] = [
  ...[
    step(0, 'read'),
    step(0, 'exchange'),
    step(0, 'signIn'),
    step(0, 'signIn'),
    step(0, 'exchange'),
    step(0, 'authenticate', 4),
  ],
  ...[
    step(0, 'authenticate', 5),
    step(0, 'authenticate', 3),
    step(0, 'authenticate'),
    step(0, 'authenticate'),
    step(0, 'read'),
  ],
  ...[
    step(0, 'report'),
    step(0, 'report'),
    step(1, 'signIn'),
    step(1, 'exchange'),
    step(1, 'authenticate', 0),
    step(1, 'authenticate', 6),
  ],
  ...[
    step(1, 'authenticate', 1),
    step(1, 'exchange'),
    step(1, 'authenticate', 0),
    step(0, 'leaveEhr'),
    step(0, 'leaveEhr'),
  ],
  ...[
    step(0, 'exchange'),
    step(0, 'authenticate'),
    step(0, 'read'),
    step(0, 'wait', 1),
    step(0, 'signIn'),
    step(0, 'read'),
    step(0, 'disconnect'),
  ],
  ...[
    step(0, 'wait', 1),
    step(0, 'signIn'),
    step(0, 'wait', 1),
    step(0, 'signIn'),
    step(0, 'read'),
    step(0, 'exchange'),
    step(0, 'wait', 4),
  ],
  ...[
    step(0, 'authenticate'),
    step(0, 'exchange'),
    ...Array.from({ length: 6 }, () => step(0, 'authenticate', 4)),
    step(0, 'authenticate'),
  ],
  ...[
    step(2, 'signIn'),
    step(2, 'exchange'),
    step(2, 'authenticate', 2),
    step(2, 'report'),
    step(2, 'wait', 1),
    step(2, 'signIn'),
  ],
  ...[
    step(1, 'wait', 5),
    step(1, 'read'),
    step(1, 'report'),
    step(1, 'exchange'),
    step(1, 'signIn'),
    step(1, 'logout'),
    step(1, 'logout'),
  ],
  ...[
    step(1, 'signIn'),
    step(1, 'wait', 1),
    step(1, 'signIn'),
    step(1, 'deleteUser'),
    step(1, 'read'),
    step(1, 'wait', 1),
    step(1, 'signIn'),
    step(1, 'read'),
  ],
  ...[
    step(1, 'confirm'),
    step(1, 'request'),
    step(1, 'wait', 1),
    step(1, 'request'),
    step(1, 'request'),
    step(1, 'wait', 2),
    step(1, 'confirm'),
    step(1, 'wait', 1),
  ],
  ...[step(1, 'request'), ...Array.from({ length: 6 }, () => step(1, 'confirmWrongly')), step(1, 'confirm')],
  ...[step(1, 'wait', 1), step(1, 'signIn'), step(1, 'read')],
  // Guesses with one token after another, until no more are tried. A sixth token then ends the one before
  // them.
  ...[step(0, 'wait', 1), step(0, 'signIn')],
  ...Array.from({ length: 6 }, () => [
    step(0, 'exchange'),
    ...Array.from({ length: 4 }, () => step(0, 'authenticate', 4)),
  ]).flat(),
  ...[
    step(1, 'report'),
    step(1, 'exchange'),
    ...Array.from({ length: 6 }, () => step(1, 'exchangeUnused')),
    step(1, 'authenticate', 1),
  ],
];

test('the handlers answer a tour through all methods as the real servers do', async () => {
  const real = await playReal(tour);
  expect(await playMocked(tour)).toEqual(real);
  // The tour must meet the answers that random steps rarely reach.
  const reasons = new Set(real.map((outcome) => (outcome as [number, string, { reason?: string }])[2].reason));
  for (const reason of [
    'session_expired',
    'exchange_token_exhausted',
    'exchange_token_expired',
    'exchange_token_unknown',
    'too_many_failed_matches',
    'patient_already_matched',
    'patient_already_linked',
    'user_unknown',
    'ehr_refused',
    'otp_throttled',
    'otp_wrong',
    'otp_expired',
    'otp_exhausted',
  ]) {
    expect(reasons).toContain(reason);
  }
});

test('the handlers answer any sequence of calls and clock jumps as the real servers do', async () => {
  const anyStep = fc.record({
    who: fc.nat(PHONES.length - 1),
    act: fc.constantFrom(...(Object.keys(acts) as Step['act'][])),
    arg: fc.nat(41),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 40 }), async (steps) => {
      const real = await playReal(steps);
      expect(withoutPurge(await playMocked(steps))).toEqual(withoutPurge(real));
    }),
    { numRuns: 6 },
  );
}, 60_000);
