/**
 * The core of the checker: searches for one order of the calls, consistent with their times, that explains
 * every reply and the final rows of the database.
 */
import { hash } from 'node:crypto';
import type { GroupSnapshot, LedgerCall } from './history.ts';
import { after, canHaveWorked, emptyState, fits, keyOf, type SearchState } from './search-state.ts';

export type OrderVerdict =
  | { kind: 'explained' }
  /**
   * No order explains the calls. `stuck`: the calls that could not be placed, in the order that placed most.
   */
  | { kind: 'unexplained'; placed: number; stuck: LedgerCall[]; atTheEnd: boolean }
  /** The search was given up without a result. */
  | { kind: 'undecided'; steps: number };

/** Steps after which the search is given up: half a minute. */
const MAX_STEPS = 100_000;

type Node = { state: SearchState; done: Uint8Array; placed: number };

/**
 * Searches depth first (Wing and Gong, with Lowe's cache of states). A call takes effect between its request
 * and its reply; a call without a reply takes effect at any time after its request, or never. A call that
 * changes nothing and fits is placed at once, since placing it later can only be harder.
 */
export function linearize(
  history: readonly LedgerCall[],
  rows: GroupSnapshot | undefined,
  maxSteps = MAX_STEPS,
): OrderVerdict {
  const calls = history
    .filter((call) => isKnown(call) || !rows || canHaveWorked(call, rows))
    .sort((a, b) => a.invoked - b.invoked);
  const known = calls.filter(isKnown).length;
  const seen = new Set<string>();
  const stack: Node[] = [{ state: emptyState(), done: new Uint8Array(calls.length), placed: 0 }];
  let deepest: Node | undefined;
  let steps = 0;
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (++steps > maxSteps) return { kind: 'undecided', steps };
    const at = placeWithoutEffect(node, calls);
    if (!deepest || at.placed > deepest.placed) deepest = at;
    if (at.placed === known && (!rows || fits(at.state, rows))) return { kind: 'explained' };
    // Stores a digest: there may be a hundred thousand states.
    const placed = Buffer.from(at.done.buffer).toString('latin1');
    const key = hash('sha256', placed + keyOf(at.state), 'base64');
    if (seen.has(key)) continue;
    seen.add(key);
    stack.push(...branches(at, calls));
  }
  const stuck = deepest ? candidates(deepest.done, calls).map((index) => calls[index] as LedgerCall) : [];
  const { placed = 0 } = deepest ?? {};
  return { kind: 'unexplained', placed, stuck, atTheEnd: placed === known };
}

const isKnown = ({ outcome }: LedgerCall) => outcome.kind !== 'unknown';

/** Returns the indexes of the calls that may come next: each was sent before any unplaced call returned. */
function candidates(done: Uint8Array, calls: readonly LedgerCall[]): number[] {
  const found: number[] = [];
  let firstReturn = Number.POSITIVE_INFINITY;
  for (let index = 0; index < calls.length; index++) {
    if (done[index]) continue;
    const call = calls[index] as LedgerCall;
    if (call.invoked > firstReturn) break;
    found.push(index);
    if (isKnown(call)) firstReturn = Math.min(firstReturn, call.returned);
  }
  return found;
}

function placeWithoutEffect(node: Node, calls: readonly LedgerCall[]): Node {
  const done = node.done.slice();
  let { placed } = node;
  for (let found = true; found; ) {
    found = false;
    for (const index of candidates(done, calls)) {
      const call = calls[index] as LedgerCall;
      if (!isKnown(call) || !after(node.state, call).includes(node.state)) continue;
      done[index] = 1;
      placed++;
      found = true;
    }
  }
  return { state: node.state, done, placed };
}

/** Returns the nodes one call further. The likeliest is last, since the stack is popped from its end. */
function branches({ state, done, placed }: Node, calls: readonly LedgerCall[]): Node[] {
  const next: (Node & { likely: number })[] = [];
  for (const index of candidates(done, calls)) {
    const call = calls[index] as LedgerCall;
    for (const changed of after(state, call)) {
      if (changed === state) continue;
      // A call with a reply certainly took effect, and the call answered first probably took effect first.
      const likely = isKnown(call) ? -call.returned : Number.NEGATIVE_INFINITY;
      const further = done.slice();
      further[index] = 1;
      next.push({ state: changed, done: further, placed: placed + (isKnown(call) ? 1 : 0), likely });
    }
  }
  return next.sort((a, b) => a.likely - b.likely || 0);
}
