import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { ScenarioStopped } from '../../engine/check/playing.ts';
import { Recorder } from '../../engine/journal/recorder.ts';
import { Knowledge } from '../../engine/journal/secrets/knowledge.ts';
import { type Action, PHONE_IN_FORM, type Seen } from './drivers/driver.ts';
import { people } from './people/people.ts';
import type { ClientProxy } from './servers/client-proxy.ts';
import { ScenarioMemory } from './servers/scenario-memory.ts';
import { ClientWorld, sees } from './world.ts';

const { darya } = people;
const MISSING = 'There is not a button "Find" now.';
const form: Seen = { sees: 'form', text: '', missing: '' };
const error: Seen = { ...form, sees: 'error' };
const patient: Seen = { ...form, sees: 'patient' };

/** A world whose client shows these screens in turn, and the actions that it was asked for. */
function worldOf(screens: readonly Seen[], can: readonly string[] = [PHONE_IN_FORM]) {
  const acted: Action[] = [];
  const world = new ClientWorld({
    scenario: 'a-flow',
    recorder: new Recorder(systemClock, new Knowledge('internal', 'secret', new Map(), new Map())),
    proxy: { memory: new ScenarioMemory() } as ClientProxy,
    clock: systemClock,
    signal: new AbortController().signal,
    can: new Set(can),
    absent: {},
    start: async () => ({
      act: async (action) => screens[acted.push(action) - 1] ?? { sees: 'signedOut', text: 'out of screens' },
      leave: async () => undefined,
      kill: async () => undefined,
    }),
    forget: () => undefined,
  });
  return { world, acted };
}

test.each([
  ['a form with a phone has the one that is typed', [PHONE_IN_FORM], darya.form.phone],
  ['a form without a phone has the one of the sign-in', [], darya.signIn],
])('%s', async (_title, can, phone) => {
  const { world, acted } = worldOf([form, patient], can);
  await world.act('signs in', { do: 'signIn', phone: darya.signIn })();
  await world.fillForm('fills in the form')();
  expect(acted.at(-1)).toEqual({ do: 'fillForm', values: { ...darya.form, phone } });
});

test('only the right screen without a word of the file stops a scenario', async () => {
  const { world } = worldOf([
    { ...form, missing: MISSING },
    { ...error, missing: MISSING },
  ]);
  const stopped = await world
    .fillForm('fills in the form')()
    .catch((thrown: unknown) => thrown);
  expect(stopped).toBeInstanceOf(ScenarioStopped);
  expect(stopped).toMatchObject({
    blame: 'harness',
    message: `fillForm cannot be done on the screen form: ${MISSING}`,
  });
  expect(sees(await world.fillForm('fills it in again')(), 'error')).toBe(true);
});

test.each<[title: string, screens: Seen[], actions: Action['do'][]]>([
  ['leads to the record', [error, patient], ['fillForm', 'fillForm']],
  ['leads nowhere', [error, error, patient], ['fillForm', 'fillForm']],
  ['has gone', [{ ...error, missing: MISSING }, patient], ['fillForm', 'readPatient']],
])('a form that is sent again and %s is judged where it ends', async (_title, screens, actions) => {
  const { world, acted } = worldOf(screens);
  const result = await world.sendsAgain('after eleven minutes')();
  expect(acted.map(({ do: what }) => what)).toEqual(actions);
  expect(sees(result, 'patient')).toBe(screens[acted.length - 1] === patient);
});
