/** The heart of the checker: looks for one order of the calls, within the times at which they ran, that explains every reply and what the database holds at the end. */
import { hash } from 'node:crypto';
import type { Call, History, Snapshot } from './history.ts';
import { after, canHaveWorked, emptyState, fits, keyOf, type State } from './model.ts';

export type Verdict =
  | { kind: 'explained'; steps: number }
  /** No order explains them. `stuck`: the calls that could not be placed, at the point up to which most could. */
  | { kind: 'unexplained'; placed: number; stuck: Call[]; atTheEnd: boolean }
  /** The search was given up: nothing is known. */
  | { kind: 'undecided'; steps: number };

const MAX_STEPS = 200_000;

type Node = { state: State; done: Uint8Array; placed: number };

/**
 * Searches depth first (after Wing and Gong, with the memory of Lowe). A call may stand anywhere between its sending and
 * its reply; one without a reply anywhere after its sending, or nowhere. A call that changes nothing and fits is placed
 * at once, since leaving it for later can only make it harder.
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
    // A digest: what is remembered may be a hundred thousand states.
    const key = hash('sha256', `${Buffer.from(at.done.buffer).toString('latin1')}${keyOf(at.state)}`, 'base64');
    if (seen.has(key)) continue;
    seen.add(key);
    stack.push(...branches(at, calls));
  }
  const stuck = deepest ? candidates(deepest.done, calls).map((index) => calls[index] as Call) : [];
  const { placed = 0 } = deepest ?? {};
  return { kind: 'unexplained', placed, stuck, atTheEnd: placed === known };
}

/** Indexes of the calls that may stand next: sent before any call that is not placed has returned. */
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

/** The nodes one call further, the likeliest last, since the stack is read from its end. */
function branches({ state, done, placed }: Node, calls: readonly Call[]): Node[] {
  const next: (Node & { likely: number })[] = [];
  for (const index of candidates(done, calls)) {
    const call = calls[index] as Call;
    const isKnown = call.outcome.kind !== 'unknown';
    for (const changed of after(state, call)) {
      if (changed === state) continue;
      // What has a reply took effect for sure, and the one that was answered first probably did so first.
      const likely = isKnown ? -call.returned : Number.NEGATIVE_INFINITY;
      const further = done.slice();
      further[index] = 1;
      next.push({ state: changed, done: further, placed: placed + (isKnown ? 1 : 0), likely });
    }
  }
  return next.sort((a, b) => a.likely - b.likely || 0);
}
