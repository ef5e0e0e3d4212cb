/**
 * The core of the checker: searches for one order of the calls, consistent with their times, that explains
 * every reply and the final rows of the database.
 */
import { hash } from 'node:crypto';
import type { Call, History, Snapshot } from './history.ts';
import { after, canHaveWorked } from './model.ts';
import { emptyState, fits, keyOf, type State } from './state.ts';

export type Verdict =
  | { kind: 'explained'; steps: number }
  /**
   * No order explains the calls. `stuck`: the calls that could not be placed, in the order that placed most.
   */
  | { kind: 'unexplained'; placed: number; stuck: Call[]; atTheEnd: boolean }
  /** The search was given up without a result. */
  | { kind: 'undecided'; steps: number };

const MAX_STEPS = 200_000;

type Node = { state: State; done: Uint8Array; placed: number };

/**
 * Searches depth first (Wing and Gong, with Lowe's cache of states). A call takes effect between its request
 * and its reply; a call without a reply takes effect at any time after its request, or never. A call that
 * changes nothing and fits is placed at once, since placing it later can only be harder.
 */
export function linearize(history: History, snapshot: Snapshot | undefined, maxSteps: number = MAX_STEPS): Verdict {
  const isKnown = ({ outcome }: Call) => outcome.kind !== 'unknown';
  const calls = history.calls
    .filter((call) => isKnown(call) || !snapshot || canHaveWorked(call, snapshot, history.calls))
    .sort((a, b) => a.invoked - b.invoked);
  const known = calls.filter(isKnown).length;
  const seen = new Set<string>();
  const stack: Node[] = [{ state: emptyState(history), done: new Uint8Array(calls.length), placed: 0 }];
  let deepest: Node | undefined;
  let steps = 0;
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (++steps > maxSteps) return { kind: 'undecided', steps };
    const at = placeWithoutEffect(node, calls);
    if (!deepest || at.placed > deepest.placed) deepest = at;
    if (at.placed === known && (!snapshot || fits(at.state, snapshot))) return { kind: 'explained', steps };
    // Stores a digest: there may be a hundred thousand states.
    const key = hash('sha256', `${Buffer.from(at.done.buffer).toString('latin1')}${keyOf(at.state)}`, 'base64');
    if (seen.has(key)) continue;
    seen.add(key);
    stack.push(...branches(at, calls));
  }
  const stuck = deepest ? candidates(deepest.done, calls).map((index) => calls[index] as Call) : [];
  const { placed = 0 } = deepest ?? {};
  return { kind: 'unexplained', placed, stuck, atTheEnd: placed === known };
}

/** Returns the indexes of the calls that may come next: each was sent before any unplaced call returned. */
function candidates(done: Uint8Array, calls: readonly Call[]): number[] {
  const found: number[] = [];
  let firstReturn = Number.POSITIVE_INFINITY;
  for (let index = 0; index < calls.length; index++) {
    if (done[index]) continue;
    const call = calls[index] as Call;
    if (call.invoked > firstReturn) break;
    found.push(index);
    if (call.outcome.kind !== 'unknown') firstReturn = Math.min(firstReturn, call.returned);
  }
  return found;
}

function placeWithoutEffect(node: Node, calls: readonly Call[]): Node {
  const done = node.done.slice();
  let { placed } = node;
  for (let found = true; found; ) {
    found = false;
    for (const index of candidates(done, calls)) {
      const call = calls[index] as Call;
      if (call.outcome.kind === 'unknown' || !after(node.state, call).includes(node.state)) continue;
      done[index] = 1;
      placed++;
      found = true;
    }
  }
  return { state: node.state, done, placed };
}

/** Returns the nodes one call further. The likeliest is last, since the stack is popped from its end. */
function branches({ state, done, placed }: Node, calls: readonly Call[]): Node[] {
  const next: (Node & { likely: number })[] = [];
  for (const index of candidates(done, calls)) {
    const call = calls[index] as Call;
    const isKnown = call.outcome.kind !== 'unknown';
    for (const changed of after(state, call)) {
      if (changed === state) continue;
      // A call with a reply certainly took effect, and the call answered first probably took effect first.
      const likely = isKnown ? -call.returned : Number.NEGATIVE_INFINITY;
      const further = done.slice();
      further[index] = 1;
      next.push({ state: changed, done: further, placed: placed + (isKnown ? 1 : 0), likely });
    }
  }
  return next.sort((a, b) => a.likely - b.likely || 0);
}
