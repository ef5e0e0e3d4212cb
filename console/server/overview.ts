/** Everything that the page needs at its start. */
import { personaList } from '#mis-fixtures/personas.ts';
import type { Overview } from '../api.ts';
import type { DemoWorld } from './demo-world.ts';
import { scenarios } from './scenarios/list.ts';
import { faultKinds, interfaceErrors } from './wires/fault-kinds.ts';

const people = personaList.map(({ name, title, outcome, signIn, typed }) => ({
  name,
  title,
  outcome,
  signIn,
  typed,
}));

export function overviewOf(world: DemoWorld): Overview {
  const { about, demoClock, faults, phone, player, feed } = world;
  return {
    version: about.version,
    seed: about.seed,
    addresses: about.addresses,
    clock: demoClock.state(),
    people,
    faults: faults.list(),
    faultKinds,
    errors: interfaceErrors,
    textTrouble: phone.trouble,
    scenarios: scenarios.map(({ id, title, sentence, steps }) => {
      return { id, title, sentence, steps: steps.map(({ text }) => text) };
    }),
    scenario: player.state,
    alarm: feed.alarm,
    ...(about.isInPage && { isInPage: true }),
  };
}
