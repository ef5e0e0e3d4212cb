import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { ScenarioState } from '../../api.ts';
import { Player } from './player.ts';
import type { PlayedScenario } from './steps.ts';

const A_SECOND_MS = 1_000;

/** A player of a scenario with three steps, none of which calls anybody. */
function playerOfThree() {
  const clock = manualClock();
  const made: string[] = [];
  const step = (text: string) => ({ text, act: () => made.push(text) });
  const three: PlayedScenario = {
    ...{ id: 'three', title: 'Three', sentence: 'Three steps.', persona: 'anna' },
    steps: [step('begins'), step('goes on'), step('ends')],
  };
  let onState: (state: ScenarioState) => void = () => undefined;
  const player = new Player({
    scenarios: [three],
    stage: {
      fetch,
      authUrl: '',
      ehrEndpoint: '',
      internal: { endpoint: '', user: '', password: '' },
      outboxUrl: '',
      advance: async () => undefined,
      arm: () => undefined,
    },
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

test('without a pace the steps are played at once', async () => {
  const { player, made, at } = playerOfThree();
  const done = at(3, 'done');
  await player.play('three');
  await done;
  expect(made).toHaveLength(3);
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
