import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { expect, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { useProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { SettingsError } from './command-line/settings.ts';
import { runParty } from './run.ts';

/** A fake process: the signals it listens to, its output, its exit code, what it waits for; and a stop. */
function watchProcess() {
  const listeners: [string, () => void][] = [];
  const written: string[] = [];
  const exits: unknown[] = [];
  const alarms: { ms: number; wake: () => void }[] = [];
  vi.spyOn(process, 'on').mockImplementation((signal, listener) => {
    listeners.push([String(signal), listener]);
    return process;
  });
  vi.spyOn(process, 'listeners').mockImplementation((event) =>
    listeners.filter(([listened]) => listened === event).map(([, listener]) => listener),
  );
  const write = (text: string, done?: () => void) => {
    written.push(text);
    done?.();
    return true;
  };
  vi.spyOn(process.stderr, 'write').mockImplementation(write as typeof process.stderr.write);
  vi.spyOn(process, 'exit').mockImplementation(((code: number) =>
    exits.push(code)) as unknown as typeof process.exit);
  vi.spyOn(systemClock, 'after').mockImplementation((ms, wake) => {
    alarms.push({ ms, wake });
    return () => undefined;
  });
  const signal = async (name: string) => {
    for (const [listened, listener] of listeners) if (listened === name) listener();
    await settled();
  };
  return { signal, written, exits, alarms, stop: vi.fn(() => Promise.resolve()) };
}

const settled = () => new Promise(setImmediate);

test('each signal to end stops the party, and the process exits with code 0', async () => {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const { signal, exits, written, stop } = watchProcess();
    await runParty(async () => stop);
    expect([stop.mock.calls.length, exits]).toEqual([0, []]);
    await signal(name);
    expect([name, stop.mock.calls.length, exits, written]).toEqual([name, 1, [0], []]);
  }
});

test('SIGHUP does not stop a party that reads its certificates again', async () => {
  const { signal, stop } = watchProcess();
  await runParty(async () => {
    process.on('SIGHUP', () => undefined);
    return stop;
  });
  await signal('SIGHUP');
  expect(stop).not.toHaveBeenCalled();
  await signal('SIGTERM');
  expect(stop).toHaveBeenCalledOnce();
});

test('further signals neither stop the party twice nor cut the stop short', async () => {
  const { signal, exits } = watchProcess();
  let stops = 0;
  let finish = (): void => undefined;
  await runParty(async () => () => {
    stops++;
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  await signal('SIGINT');
  await signal('SIGINT');
  await signal('SIGTERM');
  expect([stops, exits]).toEqual([1, []]);
  finish();
  await settled();
  expect(exits).toEqual([0]);
});

test('a signal during the start stops the party as soon as it has started', async () => {
  const { signal, exits, stop } = watchProcess();
  let ready = (): void => undefined;
  const running = runParty(async () => {
    await new Promise<void>((resolve) => {
      ready = resolve;
    });
    return stop;
  });
  await signal('SIGTERM');
  expect([stop.mock.calls.length, exits]).toEqual([0, []]);
  ready();
  await running;
  await settled();
  expect([stop.mock.calls.length, exits]).toEqual([1, [0]]);
});

test('the error of a failed start is written once, despite a signal', async () => {
  for (const [failure, sentence, code] of [
    [new Error('no database'), 'no database\n', 1],
    ['out of order', 'out of order\n', 1],
    [new SettingsError('--port is not set.'), '--port is not set.\n', 2],
  ] as const) {
    const { signal, exits, written } = watchProcess();
    let fail = (_error: unknown): void => undefined;
    const running = runParty(
      () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    );
    await signal('SIGTERM');
    fail(failure);
    await running;
    await settled();
    expect([written, exits]).toEqual([[sentence], [code]]);
  }
});

test('a party that has nothing to run is left to end by itself', async () => {
  const { exits, written, alarms } = watchProcess();
  await runParty(async () => undefined);
  await settled();
  expect([exits, written, alarms]).toEqual([[], [], []]);
});

test('a stop that fails ends the process with code 1 and says why', async () => {
  const { signal, exits, written } = watchProcess();
  await runParty(async () => () => Promise.reject(new Error('the last write was lost')));
  await signal('SIGTERM');
  expect([written, exits]).toEqual([['Failed to stop cleanly: the last write was lost\n'], [1]]);
});

test('a stop may take five seconds unless set otherwise, and is then given up', async () => {
  for (const [limit, ms, sentence] of [
    [undefined, 5_000, '5 s'],
    [1_500, 1_500, '1.5 s'],
  ] as const) {
    const { signal, exits, written, alarms } = watchProcess();
    await runParty(async () => () => new Promise(() => undefined), limit);
    expect(alarms).toEqual([]);
    await signal('SIGTERM');
    expect([alarms.map((alarm) => alarm.ms), exits]).toEqual([[ms], []]);
    alarms[0]?.wake();
    expect([written, exits]).toEqual([[`Failed to stop within ${sentence}: gave up waiting.\n`], [1]]);
  }
});

const PARTY = fileURLToPath(new URL('testing-party.ts', import.meta.url));

/** Packages of the older kind call `require`. */
const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Starts the party from one file: Node would need seconds to read it from source. */
function startParty(start: string) {
  const outfile = join(temporaryFolder(), 'party.mjs');
  buildSync({ entryPoints: [PARTY], bundle: true, platform: 'node', format: 'esm', outfile, banner: { js } });
  return useProgram([outfile, start]);
}

test('a start that fails ends with code 1 and one sentence', async () => {
  const err = 'Failed to open the database: it is locked.\n';
  expect(await startParty('fails').ended).toMatchObject({ code: 1, signal: null, out: '', err });
});

test('a process ended as it becomes ready stops cleanly, with code 0', async () => {
  const party = startParty('serves');
  await party.says(/ready/);
  expect(await party.stop()).toMatchObject({
    code: 0,
    signal: null,
    out: 'ready\nstopping\nstopped\n',
    err: '',
  });
});
