/** The load: groups of users, several at a time, each driven by a few workers. */
import { createDraw, type Draw } from '#mis-fixtures/draw.ts';
import { seededRandom } from '#protocol/time/random.ts';
import type { History, Intent } from '../check/history.ts';
import type { Fleet } from '../world/fleet.ts';
import { Cast } from './cast.ts';
import { type Secret, sendCall } from './client.ts';
import type { Ledger } from './ledger.ts';
import { canGoOn, nextOperation } from './operations.ts';
import { View } from './view.ts';

export type LoadParts = {
  seed: number;
  fleet: Fleet;
  ledger: Ledger;
  secret: Secret;
  /** Number of groups in progress at a time. */
  groups: number;
  /** Maximum number of groups: there are patients for no more. */
  maxGroups: number;
  /** Tells whether the load must end now. */
  isOver: () => boolean;
  /** Settles when calls are worth sending again after a failure. */
  settled: () => Promise<void>;
};

/** Calls after which a group ends, so that its history stays short enough to be searched. */
export const CALLS_PER_GROUP = 90;
/**
 * Calls of unknown outcome after which a group ends: they leave many orders possible and make the search
 * long.
 */
const MAX_UNKNOWN = 5;
const WORKERS_PER_GROUP = 2;
/** Separates the seeds of groups and workers. */
const SEED_STRIDE = 7919;

/** Drives groups until the load is over. Rejects when a reply violates the contract. */
export async function drive(parts: LoadParts): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (!parts.isOver() && next < parts.maxGroups) await playGroup(parts, next++);
  };
  await Promise.all(Array.from({ length: parts.groups }, lane));
}

async function playGroup(parts: LoadParts, group: number): Promise<void> {
  const seed = parts.seed * SEED_STRIDE + group;
  const cast = new Cast(group, seededRandom(seed));
  const history = parts.ledger.open(cast);
  const view = new View();
  const workers = Array.from({ length: WORKERS_PER_GROUP }, (_, worker) =>
    work(parts, cast, history, view, createDraw(seed * SEED_STRIDE + worker)),
  );
  await Promise.all(workers);
}

async function work(parts: LoadParts, cast: Cast, history: History, view: View, rng: Draw): Promise<void> {
  const isDone = () =>
    parts.isOver() || history.calls.length >= CALLS_PER_GROUP || view.unknown >= MAX_UNKNOWN || !canGoOn(view);
  while (!isDone()) {
    const before = view.unknown;
    await Promise.all(nextOperation(view, rng).map((intent) => send(parts, cast, history, view, rng, intent)));
    // While the server is away every further call would have an unknown outcome, which proves little.
    if (view.unknown > before) await parts.settled();
  }
}

async function send(
  parts: LoadParts,
  cast: Cast,
  history: History,
  view: View,
  rng: Draw,
  intent: Intent,
): Promise<void> {
  const member = await parts.fleet.pick(rng);
  const call = await parts.ledger.enter(history, intent, member.name, (id) =>
    sendCall(member, cast, intent, id, parts.secret),
  );
  view.learn(call);
}
