/**
 * The next operation of a worker: one call, or several that race for the same thing. The generator is seeded;
 * the choice also depends on the replies.
 */
import type { Draw } from '#mis-fixtures/draw.ts';
import type { Intent } from '../check/history.ts';
import { MAX_TOKENS, PATIENT_COUNT, USER_COUNT } from './cast.ts';
import type { Pair, View } from './view.ts';

type Operation = (view: View, rng: Draw) => Intent[] | undefined;

/** Chooses an operation that makes sense now. Its calls are to be sent at once. */
export function nextOperation(view: View, rng: Draw): Intent[] {
  for (;;) {
    const operation = rng.pick(operations)(view, rng);
    if (operation) return operation;
  }
}

/** Tells whether there are unused tokens left. */
export function canGoOn(view: View): boolean {
  return view.tokens < MAX_TOKENS - 8 && view.exchanges < MAX_TOKENS - 8;
}

const announce: Operation = (view, rng) => {
  const user = rng.below(USER_COUNT);
  return [announcing(view, user, freshToken(view))];
};

/** Sends the same exchange token twice at the same time, perhaps for different users. */
const announceTwice: Operation = (view, rng) => {
  const first = announcing(view, rng.below(USER_COUNT), freshToken(view));
  return [first, { ...first, ...(rng.chance(0.5) && { user: rng.below(USER_COUNT) }) }];
};

/** Announces an exchange token for a session token with a history: live, ended, or another user's. */
const announceKnownToken: Operation = (view, rng) => {
  const known = knownPairs(view);
  if (known.length === 0) return undefined;
  const { user, token } = rng.pick(known);
  return [announcing(view, rng.chance(0.7) ? user : rng.below(USER_COUNT), token)];
};

const authenticate: Operation = (view, rng) => {
  const exchange = pickPending(view, rng);
  return exchange === undefined ? undefined : [authenticating(view, rng, exchange)];
};

/** Uses one exchange token several times at once: at most one call may succeed. */
const raceForExchangeToken: Operation = (view, rng) => {
  const exchange = pickPending(view, rng);
  if (exchange === undefined) return undefined;
  return Array.from({ length: 2 + rng.below(3) }, () => authenticating(view, rng, exchange));
};

/** Links different users to one patient at the same time. */
const raceForPatient: Operation = (view, rng) => {
  const patient = rng.below(PATIENT_COUNT);
  const byUser = new Map([...view.pending].map(([exchange, { user }]) => [user, exchange]));
  if (byUser.size < 2) return undefined;
  return [...byUser.values()].map((exchange) => ({ method: 'authenticate', exchange, patient }));
};

/** Uses all exchange tokens of one user at the same time, for one patient or for different ones. */
const raceForUser: Operation = (view, rng) => {
  const user = rng.below(USER_COUNT);
  const own = [...view.pending].filter(([, pair]) => pair.user === user).slice(0, 4);
  if (own.length < 2) return undefined;
  const patient = rng.below(PATIENT_COUNT);
  return own.map(([exchange]) => ({
    method: 'authenticate',
    exchange,
    patient: rng.chance(0.5) ? patient : rng.below(PATIENT_COUNT),
  }));
};

const useAgain: Operation = (view, rng) =>
  view.exchanges === 0 ? undefined : [authenticating(view, rng, rng.below(view.exchanges))];

const record: Operation = (view, rng) => {
  const [token] = view.recordable;
  const user = token === undefined ? undefined : view.live.get(token);
  if (token === undefined || user === undefined) return undefined;
  return repeat(1 + rng.below(2), { method: 'saveAuthInfo', user, token, sign: signOf(view, rng, user) });
};

const save: Operation = (view, rng) => {
  const user = pickLinked(view, rng);
  if (user === undefined) return undefined;
  return [{ method: 'saveAuthInfo', user, token: freshToken(view), sign: signOf(view, rng, user) }];
};

/** Saves one new token for two linked users at the same time, or twice for one. */
const raceForToken: Operation = (view, rng) => {
  if (view.signs.size === 0) return undefined;
  const token = freshToken(view);
  const users = [...view.signs.keys()];
  return Array.from({ length: 2 + rng.below(2) }, () => {
    const user = rng.pick(users);
    return { method: 'saveAuthInfo', user, token, sign: signOf(view, rng, user) };
  });
};

/** Saves a token that has a history. */
const saveAgain: Operation = (view, rng) => {
  const known = knownPairs(view);
  const user = pickLinked(view, rng);
  if (user === undefined || known.length === 0) return undefined;
  return [{ method: 'saveAuthInfo', user, token: rng.pick(known).token, sign: signOf(view, rng, user) }];
};

const read: Operation = (view, rng) => {
  const known = knownPairs(view);
  if (known.length === 0) return undefined;
  const { user, token } = rng.pick(known);
  return [{ method: 'getPatient', user: rng.chance(0.95) ? user : rng.below(USER_COUNT), token }];
};

const logout: Operation = (view, rng) => {
  const held = pickLive(view, rng);
  return held && repeat(1 + rng.below(2), { method: 'removeAuthInfo', ...held });
};

/** Reads, saves and signs in with a session while it is being logged out. */
const logoutUnderLoad: Operation = (view, rng) => {
  const held = pickLive(view, rng);
  if (!held) return undefined;
  const exchange = [...view.pending].find(([, { token }]) => token === held.token)?.[0];
  return [
    { method: 'removeAuthInfo', ...held },
    { method: 'getPatient', ...held },
    ...(exchange === undefined ? [] : [authenticating(view, rng, exchange)]),
  ];
};

const disconnect: Operation = (view, rng) => {
  const held = pickLive(view, rng);
  return held && [{ method: 'removeAuthentication', ...held }];
};

const disconnectUnderLoad: Operation = (view, rng) => {
  const held = pickLive(view, rng);
  if (!held) return undefined;
  const { user } = held;
  const exchange = [...view.pending].find(([, pair]) => pair.user === user)?.[0];
  return [
    { method: 'removeAuthentication', ...held },
    { method: 'saveAuthInfo', user, token: freshToken(view), sign: signOf(view, rng, user) },
    { method: 'getPatient', ...held },
    ...(exchange === undefined ? [] : [authenticating(view, rng, exchange)]),
  ];
};

const weights: readonly [Operation, number][] = [
  [announce, 10],
  [announceTwice, 2],
  [announceKnownToken, 4],
  [authenticate, 8],
  [raceForExchangeToken, 6],
  [raceForPatient, 5],
  [raceForUser, 4],
  [useAgain, 2],
  [record, 6],
  [save, 8],
  [raceForToken, 4],
  [saveAgain, 3],
  [read, 16],
  [logout, 4],
  [logoutUnderLoad, 3],
  [disconnect, 1],
  [disconnectUnderLoad, 2],
];

const operations = weights.flatMap(([operation, weight]) => Array<Operation>(weight).fill(operation));

function announcing(view: View, user: number, token: number): Intent {
  const exchange = view.exchanges++;
  view.opens[exchange] = { user, token };
  return { method: 'saveExchangeToken', exchange, user, token };
}

/**
 * Mostly names the patient to whom the user is linked, sometimes another, sometimes properties that match no
 * patient.
 */
function authenticating(view: View, rng: Draw, exchange: number): Intent {
  const user = view.opens[exchange]?.user;
  const linked = user === undefined ? undefined : view.patients.get(user);
  if (rng.chance(0.2)) return { method: 'authenticate', exchange, patient: undefined };
  const patient = linked !== undefined && rng.chance(0.7) ? linked : rng.below(PATIENT_COUNT);
  return { method: 'authenticate', exchange, patient };
}

function freshToken(view: View): number {
  return view.tokens++;
}

/** Returns mostly the signature of the user's link, sometimes another one. */
function signOf(view: View, rng: Draw, user: number): number {
  const own = view.signs.get(user);
  return own === undefined || rng.chance(0.05) ? rng.below(6) : own;
}

function pickPending(view: View, rng: Draw): number | undefined {
  return view.pending.size === 0 ? undefined : rng.pick([...view.pending.keys()]);
}

function pickLinked(view: View, rng: Draw): number | undefined {
  return view.signs.size === 0 ? undefined : rng.pick([...view.signs.keys()]);
}

function pickLive(view: View, rng: Draw): Pair | undefined {
  if (view.live.size === 0) return undefined;
  const [token, user] = rng.pick([...view.live]);
  return { user, token };
}

function knownPairs(view: View): Pair[] {
  return [...[...view.live].map(([token, user]) => ({ user, token })), ...view.ended];
}

function repeat(times: number, intent: Intent): Intent[] {
  return Array<Intent>(times).fill(intent);
}
