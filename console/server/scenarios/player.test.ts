import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { HeldSession, Overview, ScenarioState, TakenOver } from '../../api.ts';
import { type Demo, send, startConsole } from '../testing/start-console.ts';
import type { ActorCalls } from './actor.ts';
import { Player } from './player.ts';
import type { ScenarioScript } from './steps.ts';

const A_SECOND_MS = 1_000;

/** A player of a scenario with three steps, none of which calls anybody. */
function playerOfThree() {
  const clock = manualClock();
  const made: string[] = [];
  const step = (text: string) => ({ text, act: () => made.push(text) });
  const three: ScenarioScript = {
    ...{ id: 'three', title: 'Three', sentence: 'Three steps.', persona: 'anna' },
    steps: [step('begins'), step('goes on'), step('ends')],
  };
  let onState: (state: ScenarioState) => void = () => undefined;
  const player = new Player({
    scenarios: [three],
    calls: {} as ActorCalls,
    clock,
    reset: async () => undefined,
    remark: () => undefined,
    afterStep: async () => undefined,
    onChange: (state) => onState(state),
  });
  /** Resolves when the scenario stands there: what follows at once has happened by then. */
  const at = (step: number, phase: ScenarioState['phase'] = 'playing') =>
    new Promise<void>((resolve) => {
      onState = (state) => state.step === step && state.phase === phase && resolve();
    });
  return { player, clock, made, at };
}

test('play waits between two steps, and neither before the first nor after the last', async () => {
  const { player, clock, made, at } = playerOfThree();
  const first = at(1);
  await player.play('three', A_SECOND_MS);
  await first;
  clock.advance(A_SECOND_MS - 1);
  expect(made).toEqual(['begins']);
  const second = at(2);
  clock.advance(1);
  await second;
  const done = at(3, 'done');
  clock.advance(A_SECOND_MS);
  await done;
  expect(made).toEqual(['begins', 'goes on', 'ends']);
});

test('a pause ends a wait at once, and play goes on without one', async () => {
  const { player, clock, made, at } = playerOfThree();
  const first = at(1);
  await player.play('three', A_SECOND_MS);
  await first;
  expect(await player.pause()).toEqual({ id: 'three', step: 1, phase: 'paused' });
  clock.advance(A_SECOND_MS);
  expect(made).toEqual(['begins']);
  const second = at(2);
  await player.play(undefined, A_SECOND_MS);
  await second;
  expect(await player.takeOver()).toEqual({ id: null, step: 0, phase: 'idle' });
  clock.advance(A_SECOND_MS);
  expect(made).toEqual(['begins', 'goes on']);
});

test('a pause while the demo is emptied holds the first step back', async () => {
  const { player, made } = playerOfThree();
  const begun = player.play('three');
  await player.pause();
  await begun;
  await player.settled();
  expect(made).toEqual([]);
  expect(player.state).toEqual({ id: 'three', step: 0, phase: 'paused' });
});

async function takenOverAfter(steps: number, id: string, { post }: Demo): Promise<HeldSession | undefined> {
  for (let made = 0; made < steps; made++)
    await post('/api/scenario', { do: 'step', ...(made === 0 && { id }) });
  return (await post<TakenOver>('/api/scenario', { do: 'takeOver' })).held;
}

test('a scenario that is taken over hands its session on, in that answer alone', async () => {
  const demo = await startConsole();
  const stream = await demo.events();
  const held = await takenOverAfter(4, 'returning-user', demo);
  expect(held).toMatchObject({ phone: '79990000001', reportDue: false, userSign: expect.any(String) });
  const { user = '', token = '' } = held?.session ?? {};
  const answer = await send(demo.addresses.ehr, { method: 'patient.get_patient', cred: { user, token } });
  expect(JSON.parse(answer.body)).toMatchObject({ result: { patient: { surname: 'Petrova' } } });
  expect(JSON.stringify(stream.heard)).not.toContain(token);
  expect(await demo.post('/api/scenario', { do: 'takeOver' })).not.toHaveProperty('held');
});

test('a link that was not reported is handed on as one to report', async () => {
  const demo = await startConsole();
  expect(await takenOverAfter(3, 'returning-user', demo)).toMatchObject({ reportDue: true });
});

test('without a session there is nothing to hand on', async () => {
  const demo = await startConsole();
  expect(await takenOverAfter(0, 'first-link', demo)).toBeUndefined();
  expect(await takenOverAfter(6, 'logout', demo)).toBeUndefined();
});

test('a reset ends the wait of a scenario that plays', async () => {
  const demo = await startConsole(undefined, {}, manualClock());
  const stream = await demo.events();
  await demo.post('/api/scenario', { do: 'play', id: 'first-link', paceMs: 1 });
  await stream.until('scenario', ({ step }) => step === 1);
  await demo.post('/api/reset');
  expect(await demo.get<Overview>('/api/overview')).toMatchObject({ scenario: { id: null, phase: 'idle' } });
});
