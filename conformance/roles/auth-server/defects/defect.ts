/** What a defect or a harmless variant of the mock may change, and ways to change it that several of them use. */
import type { RequestListener } from 'node:http';
import type { Context } from '#mock-auth-server/context.ts';
import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import type { Variant } from '../../../engine/defects/catalogue.ts';
import { defect as defectOf, harmless as harmlessOf } from '../../../engine/defects/defect.mjs';
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
import { isDone, membersOf, type RpcReply, withCred, withParams } from '../../../engine/defects/rpc-call.ts';
import type { AdapterSettings } from '../adapter/file/schema/schema.ts';
import type { TlsVariant } from '../self-test/certificates.ts';

export type Mock = Context & {
  seen: Ledger;
  password: string;
  send: typeof fetch;
  print: (line: string) => void;
};

/** Wraps the function that sends calls to the EHR server. What it must remember it notes in the ledger. */
export type Send = (send: typeof fetch, seen: Ledger) => typeof fetch;

export type Change = {
  readonly env?: Readonly<Record<string, string>>;
  /** Has the mock call the EHR server over https and verify its certificate in this way; else plain HTTP. */
  readonly tls?: TlsVariant | undefined;
  /** Replaces parts of the mock, or functions of its parts, when the mock starts. */
  readonly parts?: (mock: Mock) => void;
  readonly pipeline?: (pipeline: TextPipeline, mock: Mock) => TextPipeline;
  readonly http?: (listener: RequestListener, mock: Mock) => RequestListener;
  readonly fetch?: Send | undefined;
  /** Replaces keys of the adapter file. */
  readonly file?: (settings: AdapterSettings) => Partial<AdapterSettings>;
};

export type AuthVariant = Variant & Change;

export const defect = defectOf<Change>;
export const harmless = harmlessOf<Change>;

export { ANY, done, refused } from '../../../engine/defects/operators.ts';
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

/** How long (ms) a slow part of the mock takes: requests that are sent at one moment arrive meanwhile. */
export const SLOW_PART_MS = 100;

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

/** Described in `operators.ts`. A reply that a defect makes has the id of its call, of whatever type. */
export const { around, before, after, instead, cached, inSharedVariable, aMoment } = new Operators<Mock>(
  SLOW_PART_MS,
  ({ id }) => id,
);

type Args<F> = F extends (...args: infer A) => unknown ? A : never;
type Result<F> = F extends (...args: never[]) => infer R ? R : never;

/** The parts of a mock whose functions a defect may wrap, by name. */
function wrappable(mock: Mock) {
  const { ehr, codes, store } = mock;
  const { codes: codeRows, messages, sessions, directory } = store;
  return { mock, ehr, codes, store, codeRows, messages, sessions, directory };
}
type Wrappable = ReturnType<typeof wrappable>;

/** Replaces a function of a part of the mock. `faulty` gets the right function before its arguments. */
export const wraps = <Part extends keyof Wrappable, Name extends keyof Wrappable[Part]>(
  part: Part,
  name: Name,
  faulty: (
    right: Wrappable[Part][Name],
    mock: Mock,
    ...args: Args<Wrappable[Part][Name]>
  ) => Result<Wrappable[Part][Name]>,
): Change => ({
  parts(mock) {
    const wrapped = wrappable(mock)[part];
    const right = wrapped[name];
    // The compiler does not know that the function has the type of this one member.
    wrapped[name] = ((...args: Args<typeof right>) => faulty(right, mock, ...args)) as typeof right;
  },
});

/** Draws the bytes of the token with the number `count`, from 1. The mock draws 32 bytes for tokens alone. */
export const tokensOf = (draw: (mock: Mock, count: number, random: Mock['random']) => Uint8Array): Change =>
  wraps('mock', 'random', (random, mock, length) =>
    length === 32 ? draw(mock, mock.seen.countUp('tokens'), random) : random(length),
  );

/** Adds members to the results of these calls. */
export const tells = (which: Which<Mock>, what: (turn: Answered<Mock>) => object | undefined) =>
  after(done(which), (turn) => ({ ...turn.reply, result: { ...turn.result, ...what(turn) } }));

/** Adds members to the data of the errors of these calls. */
export const tellsInRefusal = (which: Which<Mock>, what: (turn: Answered<Mock>) => object | undefined) =>
  after(refused(which), (turn) => {
    const error = membersOf(turn.reply.error);
    return { ...turn.reply, error: { ...error, data: { ...membersOf(error.data), ...what(turn) } } };
  });

/** Executes a call in the session that `find` chooses of all that were given out; undefined: in its own. */
export const actsAs = (
  which: Which<Mock>,
  find: (given: UserSession[], turn: MockTurn) => UserSession | undefined,
) =>
  before(which, (turn) => {
    const other = find(turn.seen.sessions, turn);
    return other && withCred(turn.call, other);
  });

/** Ends further sessions in the store after a call with this outcome. */
export const ends = (outcome: Outcome<Mock>, whose: (turn: Answered<Mock>) => readonly UserSession[]) =>
  after(outcome, (turn) => {
    const { store, clock } = turn.parts;
    for (const { token } of whose(turn)) store.sessions.end(hashToken(token), clock.now());
  });

/** A confirmation that the right mock refuses by `reply`. */
type Confirmation = {
  code: unknown;
  /** The code where it is a text; otherwise ''. */
  text: string;
  /** The codes that were sent to the phone, the newest first. */
  sent: readonly string[];
  reply: RpcReply;
  turn: MockTurn;
};

/** Accepts confirmations that `fits`: a fresh right code takes their place, so the mock does the rest. */
export const accepts = (fits: (confirmation: Confirmation) => boolean) =>
  around(CONFIRM, async (turn) => {
    const { parts, params, call, next } = turn;
    const { code, phone } = params;
    const sent = codesSent(parts, phone);
    const reply = await next();
    const text = typeof code === 'string' ? code : '';
    if (isDone(reply) || !fits({ code, text, sent, reply, turn })) return reply;
    return next(withParams(call, { code: freshCode(parts, String(phone)) }));
  });

export const phoneOf = ({ params }: MockTurn) => ({ kind: 'phone' as const, value: String(params.phone) });

export const userOf = (turn: MockTurn) => turn.parts.store.directory.userOf(phoneOf(turn));

export const codesSent = ({ outbox }: Mock, phone?: unknown) =>
  outbox
    .list(phone === undefined ? {} : { to: { kind: 'phone', value: String(phone) } })
    .messages.map(({ code }) => code);

export const sessionsOf = (seen: Ledger, user: unknown) =>
  seen.sessions.filter((session) => session.user === user);

/** The sessions that sign-ins with this phone have opened, the oldest first. */
export const openedFor = (seen: Ledger, phone: unknown) =>
  seen
    .done(CONFIRM)
    .flatMap(({ params, result }) =>
      params.phone === phone && result.authInfo ? [result.authInfo as UserSession] : [],
    );

/** Issues a right code for a phone, without a message. The pause and the daily cap ignore the code. */
export function freshCode({ store, codes }: Mock, phone: string): string {
  const { sendings } = store;
  const own = { ...sendings };
  Object.assign(sendings, { since: () => ({ count: 0, last: null }), add: () => undefined });
  try {
    return store.atomically(() => codes.issue({ kind: 'phone', value: phone }));
  } finally {
    Object.assign(sendings, own);
  }
}
