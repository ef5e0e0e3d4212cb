/** The few ways in which a wrong mock differs: in its calls, its sessions, its codes and its parts. */
import { CODE_LIFETIME_MS } from '#protocol/limits.ts';
import { randomToken } from '#protocol/time/random.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import type { Ledger, UserSession } from '../../../engine/defects/ledger.ts';
import {
  type Answered,
  done,
  Operators,
  type Outcome,
  refused,
  type Turn,
  type Which,
} from '../../../engine/defects/operators.ts';
import { isDone, membersOf, no, withCred, withParams } from '../../../engine/defects/rpc-call.ts';
import type { Change, Mock } from './change.ts';

export { done, refused } from '../../../engine/defects/operators.ts';
export {
  isDone,
  membersOf,
  no,
  reasonOf,
  withCred,
  withParams,
  yes,
} from '../../../engine/defects/rpc-call.ts';

export const REQUEST = 'auth.request_otp';
export const CONFIRM = 'auth.confirm_otp';
export const EXCHANGE = 'auth.exchange_token';
export const REPORT = 'auth.report_link';
export const LOGOUT = 'auth.logout';
export const DELETE = 'auth.delete_user';

/** Delay (ms) of the slow parts: longer than the arrival of simultaneous requests takes. */
export const SLOW_PART_MS = 100;

export const slowly = ({ clock }: Mock, ms = SLOW_PART_MS) =>
  new Promise<void>((resolve) => clock.after(ms, resolve));

/** Act after a delay; ignore a store that is closed by then. */
export function later({ clock }: Mock, ms: number, act: () => unknown): void {
  clock.after(ms, () => {
    try {
      act();
    } catch {
      // The server has stopped meanwhile, or the row is gone.
    }
  });
}

export type MockTurn = Turn<Mock>;

export const { around, before, after, instead, memoised, shared, joined } = new Operators<Mock>({
  ledgerOf: ({ ledger }) => ledger,
  aMoment: slowly,
  idOf: ({ id }) => id,
});

/** The parts of a mock of which functions are replaced. */
export const codesIn = ({ codes }: Mock) => codes;
const ehrIn = ({ ehr }: Mock) => ehr;
export const storeIn = ({ store }: Mock) => store;
export const codeRowsIn = ({ store }: Mock) => store.codes;
export const messagesIn = ({ store }: Mock) => store.messages;
export const sessionsIn = ({ store }: Mock) => store.sessions;
export const directoryIn = ({ store }: Mock) => store.directory;
const itself = (mock: Mock) => mock;

type Args<F> = F extends (...args: infer A) => unknown ? A : never;
type Result<F> = F extends (...args: never[]) => infer R ? R : never;

/** Replaces a function of a part by one that is given the right function. */
export const wraps = <Part, Name extends keyof Part>(
  partOf: (mock: Mock) => Part,
  name: Name,
  faulty: (right: Part[Name], mock: Mock, ...args: Args<Part[Name]>) => Result<Part[Name]>,
): Change => ({
  parts(mock) {
    const part = partOf(mock);
    const right = part[name];
    part[name] = ((...args: Args<Part[Name]>) => faulty(right, mock, ...args)) as Part[Name];
  },
});

/** Replaces the way in which sessions are saved at the EHR server. */
export const saves = (make: (save: Save, mock: Mock) => Save): Change =>
  wraps(ehrIn, 'saveAuthInfo', (save, mock, ...call) => make(save, mock)(...call));
type Save = Mock['ehr']['saveAuthInfo'];

/** Replaces the way in which exchange tokens are saved at the EHR server. */
export const announces = (make: (save: Announce, mock: Mock) => Announce): Change =>
  wraps(ehrIn, 'saveExchangeToken', (save, mock, ...call) => make(save, mock)(...call));
type Announce = Mock['ehr']['saveExchangeToken'];

/** Draws the bytes of every token, of sessions and exchange tokens alike. */
export const tokensOf = (draw: (mock: Mock, count: number, random: Mock['random']) => Uint8Array): Change =>
  wraps(itself, 'random', (random, mock, length) =>
    length === 32 ? draw(mock, mock.ledger.count('tokens'), random) : random(length),
  );

/** Adds members to the result of calls that are carried out. */
export const tells = (which: Which<Mock>, what: (turn: Answered<Mock>) => object | undefined) =>
  after(done(which), (turn) => ({ ...turn.reply, result: { ...turn.result, ...what(turn) } }));

/** Adds members to the data of refusals. */
export const tellsInRefusal = (which: Which<Mock>, what: (turn: Answered<Mock>) => object | undefined) =>
  after(refused(which), (turn) => {
    const error = membersOf(turn.reply.error);
    return { ...turn.reply, error: { ...error, data: { ...membersOf(error.data), ...what(turn) } } };
  });

/** Refuses calls that the right mock would carry out. */
export const refuses = (which: Which<Mock>, isRefused: (turn: MockTurn) => unknown, reason: Reason) =>
  instead(which, (turn) => (isRefused(turn) ? no(reason) : undefined));

/** Executes a call for another session than it shows, if one is found among those given out. */
export const actsAs = (
  which: Which<Mock>,
  find: (given: UserSession[], turn: MockTurn) => UserSession | undefined,
) =>
  before(which, (turn) => {
    const other = find(turn.seen.sessions, turn);
    return other && withCred(turn.call, other);
  });

/** Ends sessions after a call. */
export const ends = (outcome: Outcome<Mock>, whose: (turn: Answered<Mock>) => readonly UserSession[]) =>
  after(outcome, (turn) => {
    const { store, clock } = turn.parts;
    for (const { token } of whose(turn)) store.sessions.end(hashToken(token), clock.now());
    return undefined;
  });

/** Forgets the signatures of users after a call. */
export const forgetsSign = (outcome: Outcome<Mock>, whose: (turn: Answered<Mock>) => readonly unknown[]) =>
  after(outcome, (turn) => {
    for (const user of whose(turn)) forgetSign(turn.parts, String(user));
    return undefined;
  });

export function forgetSign({ store: { directory } }: Mock, user: string): void {
  directory.replaceUserSign(user, directory.entryOf(user)?.userSign ?? null, null);
}

/** What a confirmation shows: its code, and the codes that were sent to its phone, the newest first. */
export type Confirmation = { code: unknown; text: string; sent: readonly string[]; turn: MockTurn };

/** Confirms the codes that fit as well: a fresh one takes their place, which is sent to nobody. */
export const accepts = (fits: (confirmation: Confirmation) => boolean) =>
  around(CONFIRM, async (turn) => {
    const { parts, params, call, next } = turn;
    const { code, phone } = params;
    const sent = codesSent(parts, phone);
    const first = await next();
    const text = typeof code === 'string' ? code : '';
    if (isDone(first) || !fits({ code, text, sent, turn })) return first;
    return next(withParams(call, { code: freshCode(parts, String(phone)) }));
  });

export const phoneOf = ({ params }: MockTurn) => ({ kind: 'phone' as const, value: String(params.phone) });

/** The user of the phone that a call names. */
export const userOf = (turn: MockTurn) => turn.parts.store.directory.userOf(phoneOf(turn));

/** The signature on record of the user of a call that shows a session. */
export const signOf = ({ parts, cred }: MockTurn) =>
  parts.store.directory.entryOf(String(cred.user))?.userSign ?? undefined;

/** The codes that were sent to a phone, or to anybody, the newest first. */
export const codesSent = ({ outbox }: Mock, phone?: unknown) =>
  outbox
    .list(phone === undefined ? {} : { to: { kind: 'phone', value: String(phone) } })
    .messages.map(({ code }) => code);

/** The sessions of a user that were given out. */
export const sessionsOf = (seen: Ledger, user: unknown) =>
  seen.sessions.filter((session) => session.user === user);

/** The sessions that were opened for a phone. */
export const openedFor = (seen: Ledger, phone: unknown) =>
  seen
    .done(CONFIRM)
    .flatMap(({ params, result }) =>
      params.phone === phone && result.authInfo ? [result.authInfo as UserSession & { ttl: number }] : [],
    );

/** A session that nobody signed in for. */
export function addedSession({ store, random, clock }: Mock, user: string) {
  const token = randomToken(random);
  const [createdAt, expiresAt] = [clock.now(), clock.now() + CODE_LIFETIME_MS];
  store.sessions.add({ tokenHash: hashToken(token), user, internalId: undefined, createdAt, expiresAt });
  return { user, token, ttl: CODE_LIFETIME_MS / 60_000 };
}

/** A code of the reference for a phone. Neither pause nor cap apply to it, and neither counts it. */
export function freshCode({ store, codes }: Mock, phone: string): string {
  return withoutLimits(store, () => store.atomically(() => codes.issue({ kind: 'phone', value: phone })));
}

/** Acts as if nothing had been sent yet, and counts nothing. */
export function withoutLimits<T>({ sendings }: Mock['store'], act: () => T): T {
  const own = { ...sendings };
  Object.assign(sendings, { since: () => ({ count: 0, last: null }), add: () => undefined });
  try {
    return act();
  } finally {
    Object.assign(sendings, own);
  }
}

/** Delivers a separate message with this code. */
export function deliver({ store, outbox, clock }: Mock, phone: string, code: string): void {
  store.messages.add({ kind: 'phone', value: phone }, `Your code is ${code}.`, code, clock.now());
  outbox.announce();
}
