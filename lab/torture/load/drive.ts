/**
 * The load: groups of users, several at a time. A group plays a sequence that is drawn for the state model.
 * Its steps are sent in bursts, some of them several times at once, so that they race for the same things.
 */
import { drawSteps } from '#conformance/roles/ehr-server/world/model/draw-steps.ts';
import { StateModel } from '#conformance/roles/ehr-server/world/model/state-model.ts';
import { createDraw, type Draw } from '#mis-fixtures/draw.ts';
import { seededRandom } from '#protocol/time/random.ts';
import type { CallStep } from '../../steps.ts';
import type { LedgerCall } from '../check/history.ts';
import type { Member } from '../world/fleet.ts';
import { Cast, type Secret } from './cast.ts';
import type { CallLedger } from './ledger.ts';
import { sendCall } from './send-call.ts';

export type LoadParts = {
  seed: number;
  ledger: CallLedger;
  secret: Secret;
  /** Returns a running process. */
  pick: (rng: Draw) => Promise<Member>;
  /** Maximum number of groups: there are patients for no more. */
  maxGroups: number;
  /** Tells whether the load must end now. */
  isOver: () => boolean;
  /** Settles when calls are worth sending again after a failure. */
  settled: () => Promise<void>;
};

/** Steps of a group. About twice as many calls come of them: a history that can still be searched. */
const STEPS_PER_GROUP = 30;
const DRAWN_PER_GROUP = 120;
export const CALLS_PER_GROUP = 45;
/**
 * Calls of unknown outcome after which a group ends: they leave many orders possible and make the search
 * long.
 */
const MAX_UNKNOWN = 4;
const GROUPS_AT_A_TIME = 12;
/** Separates the seeds of runs. */
const SEED_STRIDE = 7919;

/** Drives groups until the load is over. Rejects when a reply violates the contract. */
export async function drive(parts: LoadParts): Promise<void> {
  let next = 0;
  const playOn = async () => {
    while (!parts.isOver() && next < parts.maxGroups) await playGroup(parts, next++);
  };
  await Promise.all(Array.from({ length: GROUPS_AT_A_TIME }, playOn));
}

async function playGroup(
  { seed, ledger, isOver, settled, ...parts }: LoadParts,
  group: number,
): Promise<void> {
  const own = seed * SEED_STRIDE + group;
  const cast = new Cast(group, own);
  const history = ledger.open(cast);
  const rng = createDraw(own);
  const steps = stepsOf(own, rng);
  /** The newest signature of each user that a reply showed. */
  const signs = new Map<string, number>();
  const isUnknown = ({ outcome }: LedgerCall) => outcome.kind === 'unknown';
  while (steps.length > 0 && !isOver() && history.calls.filter(isUnknown).length <= MAX_UNKNOWN) {
    const burst = steps
      .splice(0, 1 + rng.below(3))
      .flatMap((step) => Array<CallStep>(timesOf(rng)).fill(step));
    const calls = await Promise.all(
      burst.map(async (step) => {
        const member = await parts.pick(rng);
        const sign = step.kind === 'saveAuthInfo' ? (signs.get(step.signOf) ?? -1) : -1;
        return ledger.enter(history, { step, sign, process: member.name }, (id) =>
          sendCall(member, { ...parts, cast, step, sign, id }),
        );
      }),
    );
    for (const call of calls) learnSign(call, history.calls, signs);
    // While the server is away every further call would have an unknown outcome, which proves little.
    if (calls.some(isUnknown)) await settled();
  }
}

/**
 * Draws the steps of a group. Of those that are refused when all go one after the other, one in ten stays.
 */
function stepsOf(seed: number, rng: Draw): CallStep[] {
  const drawn = drawSteps(seededRandom(seed), { length: DRAWN_PER_GROUP, canAdvance: false }) as CallStep[];
  const model = new StateModel(Number.POSITIVE_INFINITY);
  const kept = drawn.filter((step) => {
    if (model.copy().take(step) !== 'ok' && !rng.chance(0.1)) return false;
    model.take(step);
    return true;
  });
  return kept.slice(0, STEPS_PER_GROUP);
}

/** A step is mostly sent once, and now and then two or three times at once. */
function timesOf(rng: Draw): number {
  return rng.chance(0.7) ? 1 : 2 + rng.below(2);
}

function learnSign(
  { step, outcome }: LedgerCall,
  calls: readonly LedgerCall[],
  signs: Map<string, number>,
): void {
  if (outcome.kind !== 'ok' || outcome.sign === undefined) return;
  if (step.kind === 'getPatient') signs.set(step.user, outcome.sign);
  if (step.kind !== 'authenticate') return;
  const saved = calls.find(
    (call) =>
      call.step.kind === 'saveExchangeToken' && call.step.exchangeToken === step.exchangeToken && isOk(call),
  );
  if (saved?.step.kind === 'saveExchangeToken') signs.set(saved.step.user, outcome.sign);
}

const isOk = ({ outcome }: LedgerCall) => outcome.kind === 'ok';
