/** Bodies that are nearly JSON-RPC: calls of real methods with something wrong, alone and in batches. */
import { COSTLY_SHAPES, costlyBody } from '../costly-bodies.ts';
import type { Dice } from './dice.ts';
import { bytesOf, type RpcInput } from './input.ts';
import { damage, strangeName, strangeValue } from './strange.ts';

/** JSON whose parts may be texts that are none: `{ raw }` is written as it stands. */
type Json = string | number | boolean | null | Raw | Json[] | { [name: string]: Json };
class Raw {
  readonly raw: string;
  constructor(raw: string) {
    this.raw = raw;
  }
}

/** A call that the party would answer, from which inputs are made. */
export type Seed = { [name: string]: unknown };

/** Makes the body of one request; `bodyLimit` is the most that the party reads, in bytes. */
export function rpcInput(dice: Dice, seeds: readonly Seed[], bodyLimit: number): RpcInput {
  if (dice.oneIn(COSTLY_EVERY)) return { level: 'rpc', body: costly(dice, seeds, bodyLimit) };
  const text = dice.oneIn(6) ? batch(dice, seeds) : call(dice, seeds);
  const body = bytesOf(text);
  return { level: 'rpc', body: dice.oneIn(4) ? damage(body, dice) : body };
}

/** A body that is refused whatever the server holds, made from a call that would not be. */
export function brokenBody(dice: Dice, seed: Seed): string {
  const text = JSON.stringify(seed);
  const inner = text.slice(1, -1);
  return bytesOf(
    dice.pick([
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

/** Bodies that take a parser long are few, for they take the fuzzer long, too. */
const COSTLY_EVERY = 60;

/** Of any size up to the limit, and mostly near to it: smaller ones are parsed, larger ones refused by the count of their parts. */
function costly(dice: Dice, seeds: readonly Seed[], bodyLimit: number): string {
  const bytes = dice.oneIn(3) ? 1_000 + dice.below(bodyLimit - 1_000) : bodyLimit;
  return costlyBody(dice.pick(COSTLY_SHAPES), dice.pick(seeds), bytes);
}

function batch(dice: Dice, seeds: readonly Seed[]): string {
  const size = dice.pick([0, 1, 2, 3, 5, 8, 100, 101]);
  const kinds = size > 10 ? 2 : 8;
  const pool = Array.from({ length: kinds }, () =>
    dice.either(
      () => call(dice, seeds),
      () => call(dice, seeds),
      () => strangeValue(dice),
    ),
  );
  return `[${Array.from({ length: size }, () => dice.pick(pool)).join(',')}]`;
}

function call(dice: Dice, seeds: readonly Seed[]): string {
  const value = structuredClone(dice.pick(seeds)) as { [name: string]: Json };
  if (dice.oneIn(12)) delete value.id;
  for (let count = dice.pick([0, 1, 1, 1, 2, 3, 6]); count > 0; count--) change(value, dice);
  return write(value, dice);
}

/** Goes down to some member and changes it there. */
function change(value: { [name: string]: Json } | Json[], dice: Dice): void {
  const names = Object.keys(value);
  const name = names.length === 0 ? 'a' : dice.pick(names);
  const holder = value as { [name: string]: Json };
  const below = holder[name];
  const isDeep = typeof below === 'object' && below !== null && !(below instanceof Raw);
  if (isDeep && !dice.oneIn(4)) {
    change(below as Json[], dice);
    return;
  }
  const kept = below ?? null;
  const put = (value: Json) => void Object.defineProperty(holder, name, member(value));
  dice.either<unknown>(
    () => put(new Raw(strangeValue(dice))),
    () => put(new Raw(strangeValue(dice))),
    () => delete holder[name],
    () => put([kept]),
    () => put({ [strangeName(dice)]: kept }),
    () => {
      const added = new Raw(strangeValue(dice));
      if (Array.isArray(holder)) holder.push(added);
      else Object.defineProperty(holder, strangeName(dice), member(added));
    },
    () => put(typeof kept === 'string' ? new Raw(damage(JSON.stringify(kept), dice)) : kept),
  );
}

function member(value: Json): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

function write(value: Json, dice: Dice): string {
  if (value instanceof Raw) return value.raw;
  if (Array.isArray(value)) return `[${value.map((item) => write(item, dice)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).map((name) => `${JSON.stringify(name)}:${write(value[name] as Json, dice)}`);
  if (members.length > 0 && dice.oneIn(30)) members.push(dice.pick(members));
  return `{${members.join(dice.oneIn(20) ? ' ,\r\n\t' : ',')}}`;
}
