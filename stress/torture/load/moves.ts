/** What to do next: each move is one call, or several that race for the same thing. The dice are seeded; what they are thrown upon depends on the replies. */
import type { Draw } from '#mis-fixtures/draw.ts';
import type { Intent } from '../check/history.ts';
import { PATIENTS, TOKENS, USERS } from './cast.ts';
import type { Pair, View } from './view.ts';

type Move = (view: View, dice: Draw) => Intent[] | undefined;

/** Chooses a move that makes sense now; its calls are to be sent at once. */
export function nextMove(view: View, dice: Draw): Intent[] {
  for (;;) {
    const move = dice.pick(moves)(view, dice);
    if (move) return move;
  }
}

/** Whether there are tokens left to name. */
export function canGoOn(view: View): boolean {
  return view.tokens < TOKENS - 8 && view.exchanges < TOKENS - 8;
}

const announce: Move = (view, dice) => {
  const user = dice.below(USERS);
  return [announcing(view, user, freshToken(view))];
};

/** The same exchange token sent twice, at the same time, perhaps for different users. */
const announceTwice: Move = (view, dice) => {
  const first = announcing(view, dice.below(USERS), freshToken(view));
  return [first, { ...first, ...(dice.chance(0.5) && { user: dice.below(USERS) }) }];
};

/** An exchange token for a session token that has a history: live, ended, or another user's. */
const announceKnownToken: Move = (view, dice) => {
  const known = knownPairs(view);
  if (known.length === 0) return undefined;
  const { user, token } = dice.pick(known);
  return [announcing(view, dice.chance(0.7) ? user : dice.below(USERS), token)];
};

const authenticate: Move = (view, dice) => {
  const exchange = pickPending(view, dice);
  return exchange === undefined ? undefined : [authenticating(view, dice, exchange)];
};

/** Several workers use one exchange token at the same time: at most one may succeed. */
const raceForExchangeToken: Move = (view, dice) => {
  const exchange = pickPending(view, dice);
  if (exchange === undefined) return undefined;
  return Array.from({ length: 2 + dice.below(3) }, () => authenticating(view, dice, exchange));
};

/** Different users reach for one patient at the same time. */
const raceForPatient: Move = (view, dice) => {
  const patient = dice.below(PATIENTS);
  const byUser = new Map([...view.pending].map(([exchange, { user }]) => [user, exchange]));
  if (byUser.size < 2) return undefined;
  return [...byUser.values()].map((exchange) => ({ method: 'authenticate', exchange, patient }));
};

/** All exchange tokens of one user at the same time, for one patient or for different ones. */
const raceForUser: Move = (view, dice) => {
  const user = dice.below(USERS);
  const his = [...view.pending].filter(([, pair]) => pair.user === user).slice(0, 4);
  if (his.length < 2) return undefined;
  const patient = dice.below(PATIENTS);
  return his.map(([exchange]) => ({
    method: 'authenticate',
    exchange,
    patient: dice.chance(0.5) ? patient : dice.below(PATIENTS),
  }));
};

const useAgain: Move = (view, dice) =>
  view.exchanges === 0 ? undefined : [authenticating(view, dice, dice.below(view.exchanges))];

const record: Move = (view, dice) => {
  const [token] = view.recordable;
  const user = token === undefined ? undefined : view.live.get(token);
  if (token === undefined || user === undefined) return undefined;
  return repeat(1 + dice.below(2), { method: 'saveAuthInfo', user, token, sign: signOf(view, dice, user) });
};

const save: Move = (view, dice) => {
  const user = pickLinked(view, dice);
  if (user === undefined) return undefined;
  return [{ method: 'saveAuthInfo', user, token: freshToken(view), sign: signOf(view, dice, user) }];
};

/** One new token for two linked users at the same time, or twice for one. */
const raceForToken: Move = (view, dice) => {
  if (view.signs.size === 0) return undefined;
  const token = freshToken(view);
  const users = [...view.signs.keys()];
  return Array.from({ length: 2 + dice.below(2) }, () => {
    const user = dice.pick(users);
    return { method: 'saveAuthInfo', user, token, sign: signOf(view, dice, user) };
  });
};

/** A save of a token that has a history. */
const saveAgain: Move = (view, dice) => {
  const known = knownPairs(view);
  const user = pickLinked(view, dice);
  if (user === undefined || known.length === 0) return undefined;
  return [{ method: 'saveAuthInfo', user, token: dice.pick(known).token, sign: signOf(view, dice, user) }];
};

const read: Move = (view, dice) => {
  const known = knownPairs(view);
  if (known.length === 0) return undefined;
  const { user, token } = dice.pick(known);
  return [{ method: 'getPatient', user: dice.chance(0.95) ? user : dice.below(USERS), token }];
};

const logout: Move = (view, dice) => {
  const held = pickLive(view, dice);
  return held && repeat(1 + dice.below(2), { method: 'removeAuthInfo', ...held });
};

/** While he logs out, others read, save and sign in for him. */
const logoutUnderLoad: Move = (view, dice) => {
  const held = pickLive(view, dice);
  if (!held) return undefined;
  const exchange = [...view.pending].find(([, { token }]) => token === held.token)?.[0];
  return [
    { method: 'removeAuthInfo', ...held },
    { method: 'getPatient', ...held },
    ...(exchange === undefined ? [] : [authenticating(view, dice, exchange)]),
  ];
};

const disconnect: Move = (view, dice) => {
  const held = pickLive(view, dice);
  return held && [{ method: 'removeAuthentication', ...held }];
};

const disconnectUnderLoad: Move = (view, dice) => {
  const held = pickLive(view, dice);
  if (!held) return undefined;
  const { user } = held;
  const exchange = [...view.pending].find(([, pair]) => pair.user === user)?.[0];
  return [
    { method: 'removeAuthentication', ...held },
    { method: 'saveAuthInfo', user, token: freshToken(view), sign: signOf(view, dice, user) },
    { method: 'getPatient', ...held },
    ...(exchange === undefined ? [] : [authenticating(view, dice, exchange)]),
  ];
};

const weights: readonly [Move, number][] = [
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

const moves = weights.flatMap(([move, weight]) => Array<Move>(weight).fill(move));

function announcing(view: View, user: number, token: number): Intent {
  const exchange = view.exchanges++;
  view.opens[exchange] = { user, token };
  return { method: 'saveExchangeToken', exchange, user, token };
}

/** Mostly with the patient to whom the user is linked, sometimes with another, sometimes with properties that fit nobody. */
function authenticating(view: View, dice: Draw, exchange: number): Intent {
  const user = view.opens[exchange]?.user;
  const linked = user === undefined ? undefined : view.patients.get(user);
  if (dice.chance(0.2)) return { method: 'authenticate', exchange, patient: undefined };
  const patient = linked !== undefined && dice.chance(0.7) ? linked : dice.below(PATIENTS);
  return { method: 'authenticate', exchange, patient };
}

function freshToken(view: View): number {
  return view.tokens++;
}

/** Mostly the signature of the user's link, sometimes another's. */
function signOf(view: View, dice: Draw, user: number): number {
  const own = view.signs.get(user);
  return own === undefined || dice.chance(0.05) ? dice.below(6) : own;
}

function pickPending(view: View, dice: Draw): number | undefined {
  return view.pending.size === 0 ? undefined : dice.pick([...view.pending.keys()]);
}

function pickLinked(view: View, dice: Draw): number | undefined {
  return view.signs.size === 0 ? undefined : dice.pick([...view.signs.keys()]);
}

function pickLive(view: View, dice: Draw): Pair | undefined {
  if (view.live.size === 0) return undefined;
  const [token, user] = dice.pick([...view.live]);
  return { user, token };
}

function knownPairs(view: View): Pair[] {
  return [...[...view.live].map(([token, user]) => ({ user, token })), ...view.ended];
}

function repeat(times: number, intent: Intent): Intent[] {
  return Array<Intent>(times).fill(intent);
}
