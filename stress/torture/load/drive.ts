/** The load: groups of users one after the other, several at a time, each played by a few workers. */
import { createDraw, type Draw } from '#mis-fixtures/draw.ts';
import { seededRandom } from '#protocol/random.ts';
import type { History, Intent } from '../check/history.ts';
import type { Fleet } from '../world/fleet.ts';
import { Cast } from './cast.ts';
import { type Secret, sendCall } from './client.ts';
import type { Ledger } from './ledger.ts';
import { canGoOn, nextMove } from './moves.ts';
import { View } from './view.ts';

export type LoadParts = {
  seed: number;
  fleet: Fleet;
  ledger: Ledger;
  secret: Secret;
  /** How many groups are played at a time. */
  groups: number;
  /** No more groups than this: there are patients for so many. */
  maxGroups: number;
  /** Whether the load is to end now. */
  isOver: () => boolean;
  /** Settles when it makes sense to go on after a failure. */
  settled: () => Promise<void>;
};

/** After so many calls a group makes room for the next, so that its history can be searched. */
export const CALLS_PER_GROUP = 90;
/** So many calls of unknown outcome leave much possible, and make the search long. */
const MAX_UNKNOWN = 5;
const WORKERS_PER_GROUP = 2;
/** Keeps the seeds of groups and workers apart. */
const STRIDE = 7919;

/** Plays groups until the load is over; rejects when a reply breaks the contract. */
export async function drive(parts: LoadParts): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (!parts.isOver() && next < parts.maxGroups) await playGroup(parts, next++);
  };
  await Promise.all(Array.from({ length: parts.groups }, lane));
}

async function playGroup(parts: LoadParts, group: number): Promise<void> {
  const seed = parts.seed * STRIDE + group;
  const cast = new Cast(group, seededRandom(seed));
  const history = parts.ledger.open(cast);
  const view = new View();
  const workers = Array.from({ length: WORKERS_PER_GROUP }, (_, worker) =>
    work(parts, cast, history, view, createDraw(seed * STRIDE + worker)),
  );
  await Promise.all(workers);
}

async function work(parts: LoadParts, cast: Cast, history: History, view: View, dice: Draw): Promise<void> {
  const isDone = () =>
    parts.isOver() || history.calls.length >= CALLS_PER_GROUP || view.unknown >= MAX_UNKNOWN || !canGoOn(view);
  while (!isDone()) {
    const before = view.unknown;
    await Promise.all(nextMove(view, dice).map((intent) => send(parts, cast, history, view, dice, intent)));
    // While the server is away every further call would end unknown, and an unknown outcome proves little.
    if (view.unknown > before) await parts.settled();
  }
}

async function send(
  parts: LoadParts,
  cast: Cast,
  history: History,
  view: View,
  dice: Draw,
  intent: Intent,
): Promise<void> {
  const member = await parts.fleet.pick(dice);
  const call = await parts.ledger.enter(history, intent, member.name, (id) =>
    sendCall(member, cast, intent, id, parts.secret),
  );
  view.learn(call);
}
