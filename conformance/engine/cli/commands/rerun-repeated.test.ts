import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { ServerStartError } from '../../party/process/server-process.ts';
import { Stop } from './common.ts';
import { type Round, repeated, requireFitting } from './rerun-repeated.ts';

const red: Round = { exitCode: 1, text: 'still broken, and why', brief: 'still broken' };
const green: Round = { exitCode: 0, text: 'fixed', brief: 'fixed' };
const notThere = new Stop('Not set up.', { exitCode: 2 });

/** Repeats these rounds, the last one for ever. Time passes as soon as something waits for it. */
async function repeating(rounds: readonly (Round | Error)[], more: Partial<Parameters<typeof repeated>[0]>) {
  const manual = manualClock();
  const begun = manual.now();
  const written: string[] = [];
  const left = [...rounds];
  let played = 0;
  const exitCode = await repeated({
    ...{ watch: false, untilGreen: true, role: { party: 'client' }, config: 'mine.yaml', env: {} },
    signal: new AbortController().signal,
    clock: {
      now: manual.now,
      after(ms, wake) {
        const cancel = manual.after(ms, wake);
        // The pause of a round; the time of --for-seconds is longer, and passes with the pauses.
        if (ms === 2_000) queueMicrotask(() => manual.advance(ms));
        return cancel;
      },
    },
    async play() {
      played++;
      const round = (left.length > 1 ? left.shift() : left[0]) as Round | Error;
      if (round instanceof Error) throw round;
      return round;
    },
    write: (text) => void written.push(text),
    ...more,
  });
  return { exitCode, written, played, took: manual.now() - begun };
}

test('rounds are played until nothing is red, and told when they differ', async () => {
  expect(await repeating([red, red, notThere, notThere, red, green], {})).toEqual({
    exitCode: 0,
    written: [red.text, 'Not set up.', red.text, green.text],
    played: 6,
    took: 10_000,
  });
});

test('no round begins after the time, and the last one decides', async () => {
  expect(await repeating([red], { forSeconds: 5 })).toMatchObject({ exitCode: 1, played: 3, took: 6_000 });
  expect(await repeating([notThere], { forSeconds: 5 })).toMatchObject({ exitCode: 2 });
});

test('a server that does not start is tried again, a wrong file is not', async () => {
  const stop = (cause: Error) => new Stop('Not set up.', { exitCode: 2, cause });
  expect(await repeating([stop(new ServerStartError('it ended')), green], {})).toMatchObject({ exitCode: 0 });
  await expect(repeating([stop(new Error('of the file')), green], {})).rejects.toThrow('Not set up.');
});

test('Ctrl-C ends the waiting with the exit code of the last round', async () => {
  const controller = new AbortController();
  const play = async () => {
    controller.abort();
    return red;
  };
  expect(await repeating([], { play, signal: controller.signal })).toMatchObject({ exitCode: 1 });
});

test('a party without a restart to wait for is refused with another way', async () => {
  const watch = { watch: true, untilGreen: false };
  await expect(repeating([green], watch)).rejects.toThrow(
    '--watch waits for a server to come back, and a client is none. Please use --until-green.',
  );
  const role = { party: 'EHR server', address: async () => undefined } as const;
  await expect(repeating([green], { ...watch, role })).rejects.toThrow(
    'by server.start of mine.yaml each round starts it. Please use --until-green',
  );
});

test('a time without repetition is refused', () => {
  expect(() => requireFitting({ watch: false, untilGreen: false, forSeconds: 5 })).toThrow('--until-green');
  expect(() => requireFitting({ watch: true, untilGreen: false, forSeconds: 5 })).not.toThrow();
  expect(() => requireFitting({ watch: false, untilGreen: false })).not.toThrow();
});
