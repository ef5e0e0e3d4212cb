/** Input number i of a seed. */
import { authSeeds, ehrSeeds, GOOD_CALL } from './base-state.ts';
import { type Dice, diceOf } from './dice.ts';
import type { Input, Level } from './input.ts';
import { rawInput } from './raw-inputs.ts';
import { rpcInput, type Seed } from './rpc-inputs.ts';
import { sequenceInput } from './sequence-inputs.ts';
import { signOf } from './subject.ts';

export type Generator = (index: number) => Input;

/** Of each party by default, in bytes. */
const BODY_LIMIT = { ehr: 1024 * 1024, auth: 64 * 1024 } as const;

const EHR_SEEDS = ehrSeeds(signOf);

/** The inputs of a seed for a party whose endpoint has this path. */
export function generatorOf(seed: number, party: 'ehr' | 'auth', path: string, levels: readonly Level[]): Generator {
  const seeds = party === 'ehr' ? EHR_SEEDS : authSeeds;
  const bodies = bodiesOf(party === 'ehr' ? [GOOD_CALL, EHR_SEEDS.at(-1) as Seed] : authSeeds.slice(3));
  const makers: Record<Level, (dice: Dice) => Input> = {
    raw: (dice) => rawInput(dice, path, bodies),
    rpc: (dice) => rpcInput(dice, seeds, BODY_LIMIT[party]),
    sequence: sequenceInput,
  };
  // Calls are many times faster than sequences of them.
  const turns = (['raw', 'rpc', 'rpc', 'raw', 'rpc', 'rpc', 'raw', 'sequence'] as const).filter((level) =>
    levels.includes(level),
  );
  return (index) => makers[turns[index % turns.length] as Level](diceOf(seed, index));
}

/** Bodies that change nothing, whatever becomes of the request around them. */
function bodiesOf(seeds: readonly Seed[]): string[] {
  const texts = seeds.map((seed) => JSON.stringify(seed));
  return [...texts, `[${texts.join()}]`, '', '{', 'null', '[]', JSON.stringify({ ...seeds[0], id: undefined })];
}
