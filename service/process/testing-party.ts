/**
 * A party for the tests of `run.ts`. Its arguments say how it starts and stops: `testing-party.ts START
 * [STOP] [LIMIT]`.
 */
import { createServer } from 'node:http';
import { SettingsError } from './command-line/settings.ts';
import { runParty } from './run.ts';

const [, , start, stop, limit] = process.argv;
const say = (word: string) => process.stdout.write(`${word}\n`);

const starts: Record<string, () => Promise<void>> = {
  serve: openPort,
  'bad-settings': () => Promise.reject(new SettingsError('--port must be a number.\n--host is not set.')),
  'fails-after-opening': async () => {
    await openPort();
    throw new Error('Failed to open the database: it is locked.');
  },
};

const stops: Record<string, () => Promise<void>> = {
  cleanly: async () => {
    say('stopping');
    await new Promise(setImmediate);
    say('stopped');
  },
  never: () => {
    say('stopping');
    return new Promise(() => undefined);
  },
};

await runParty(
  async () => {
    await starts[start ?? '']?.();
    say('ready');
    return stops[stop ?? ''];
  },
  limit === undefined ? undefined : Number(limit),
);

/** Open a port that nobody closes, like a party that fails during its start. */
function openPort(): Promise<void> {
  return new Promise((resolve) => void createServer().listen(0, '127.0.0.1', resolve));
}
