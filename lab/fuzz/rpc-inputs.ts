/** Bodies that are nearly JSON-RPC: calls of real methods with something wrong, alone and in batches. */
import { COSTLY_SHAPES, costlyBody } from '../costly-bodies.ts';
import { bytesOf, type RpcInput } from './input.ts';
import type { Rng } from './rng.ts';
import { damage, strangeName, strangeValue } from './strange.ts';

/** JSON that may contain invalid parts: `{ raw }` is written as it stands. */
type Json = string | number | boolean | null | Raw | Json[] | { [name: string]: Json };
class Raw {
  readonly raw: string;
  constructor(raw: string) {
    this.raw = raw;
  }
}

/** A call that the party would answer. Inputs are derived from it. */
export type Seed = { [name: string]: unknown };

/** Creates the body of one request. `bodyLimit` is the largest body in bytes that the party reads. */
export function rpcInput(rng: Rng, seeds: readonly Seed[], bodyLimit: number): RpcInput {
  if (rng.oneIn(INPUTS_PER_COSTLY_BODY)) return { level: 'rpc', body: costly(rng, seeds, bodyLimit) };
  const text = rng.oneIn(6) ? batch(rng, seeds) : call(rng, seeds);
  const body = bytesOf(text);
  return { level: 'rpc', body: rng.oneIn(4) ? damage(body, rng) : body };
}

/** Turns a valid call into a body that the server refuses in every state. */
export function brokenBody(rng: Rng, seed: Seed): string {
  const text = JSON.stringify(seed);
  const inner = text.slice(1, -1);
  return bytesOf(
    rng.pick([
      `{${inner},"jsonrpc":"2.0"}`,
      `{${inner},"x":{"__proto__":{}}}`,
      `{${inner},"x":${'['.repeat(40)}${']'.repeat(40)}}`,
      `{${inner},"x":"\\ud800"}`,
      text.slice(0, -1),
      `${text}${text}`,
      text.replace('"2.0"', '2.0'),
      `[${Array(101).fill(text).join()}]`,
      `{${inner},"x":1e}`,
    ]),
  );
}

/** One input in this many is a costly body: these take the fuzzer long, too. */
const INPUTS_PER_COSTLY_BODY = 60;

/**
 * Builds a costly body of any size, mostly near the limit. Small ones are parsed; large ones are refused for
 * their number of parts.
 */
function costly(rng: Rng, seeds: readonly Seed[], bodyLimit: number): string {
  const bytes = rng.oneIn(3) ? 1_000 + rng.below(bodyLimit - 1_000) : bodyLimit;
  return costlyBody(rng.pick(COSTLY_SHAPES), rng.pick(seeds), bytes);
}

function batch(rng: Rng, seeds: readonly Seed[]): string {
  const size = rng.pick([0, 1, 2, 3, 5, 8, 100, 101]);
  const kinds = size > 10 ? 2 : 8;
  const pool = Array.from({ length: kinds }, () =>
    rng.either(
      () => call(rng, seeds),
      () => call(rng, seeds),
      () => strangeValue(rng),
    ),
  );
  return `[${Array.from({ length: size }, () => rng.pick(pool)).join(',')}]`;
}

function call(rng: Rng, seeds: readonly Seed[]): string {
  const value = structuredClone(rng.pick(seeds)) as { [name: string]: Json };
  if (rng.oneIn(12)) delete value.id;
  for (let count = rng.pick([0, 1, 1, 1, 2, 3, 6]); count > 0; count--) change(value, rng);
  return write(value, rng);
}

/** Changes one member at any depth. */
function change(value: { [name: string]: Json } | Json[], rng: Rng): void {
  const names = Object.keys(value);
  const name = names.length === 0 ? 'a' : rng.pick(names);
  const holder = value as { [name: string]: Json };
  const below = holder[name];
  const isDeep = typeof below === 'object' && below !== null && !(below instanceof Raw);
  if (isDeep && !rng.oneIn(4)) {
    change(below as Json[], rng);
    return;
  }
  const kept = below ?? null;
  const put = (value: Json) => void Object.defineProperty(holder, name, member(value));
  rng.either<unknown>(
    () => put(new Raw(strangeValue(rng))),
    () => put(new Raw(strangeValue(rng))),
    () => delete holder[name],
    () => put([kept]),
    () => put({ [strangeName(rng)]: kept }),
    () => {
      const added = new Raw(strangeValue(rng));
      if (Array.isArray(holder)) holder.push(added);
      else Object.defineProperty(holder, strangeName(rng), member(added));
    },
    () => put(typeof kept === 'string' ? new Raw(damage(JSON.stringify(kept), rng)) : kept),
  );
}

function member(value: Json): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

function write(value: Json, rng: Rng): string {
  if (value instanceof Raw) return value.raw;
  if (Array.isArray(value)) return `[${value.map((item) => write(item, rng)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).map((name) => `${JSON.stringify(name)}:${write(value[name] as Json, rng)}`);
  if (members.length > 0 && rng.oneIn(30)) members.push(rng.pick(members));
  return `{${members.join(rng.oneIn(20) ? ' ,\r\n\t' : ',')}}`;
}
