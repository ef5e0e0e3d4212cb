/** Creates input number i of a seed. */
import { authSeeds, ehrSeeds, GOOD_CALL } from './base-state.ts';
import type { Input, Level } from './input.ts';
import { rawInput } from './raw-inputs.ts';
import { type Rng, rngOf } from './rng.ts';
import { rpcInput, type Seed } from './rpc-inputs.ts';
import { sequenceInput } from './sequence-inputs.ts';
import { signOf } from './subject.ts';

export type Generator = (index: number) => Input;

/** Default body limits of the parties, in bytes. */
const BODY_LIMIT_BYTES = { ehr: 1024 * 1024, auth: 64 * 1024 } as const;

const EHR_SEEDS = ehrSeeds(signOf);

/** Creates the generator of a seed's inputs, for a party whose endpoint has this path. */
export function generatorOf(seed: number, party: 'ehr' | 'auth', path: string, levels: readonly Level[]): Generator {
  const seeds = party === 'ehr' ? EHR_SEEDS : authSeeds;
  const bodies = bodiesOf(party === 'ehr' ? [GOOD_CALL, EHR_SEEDS.at(-1) as Seed] : authSeeds.slice(3));
  const makers: Record<Level, (rng: Rng) => Input> = {
    raw: (rng) => rawInput(rng, path, bodies),
    rpc: (rng) => rpcInput(rng, seeds, BODY_LIMIT_BYTES[party]),
    sequence: sequenceInput,
  };
  // Single calls run many times faster than sequences.
  const turns = (['raw', 'rpc', 'rpc', 'raw', 'rpc', 'rpc', 'raw', 'sequence'] as const).filter((level) =>
    levels.includes(level),
  );
  return (index) => makers[turns[index % turns.length] as Level](rngOf(seed, index));
}

/** Returns bodies that change nothing, even if the request around them is damaged. */
function bodiesOf(seeds: readonly Seed[]): string[] {
  const texts = seeds.map((seed) => JSON.stringify(seed));
  return [...texts, `[${texts.join()}]`, '', '{', 'null', '[]', JSON.stringify({ ...seeds[0], id: undefined })];
}
