/** A party for the test of `run.ts` in a process of its own. */
import { systemClock } from '#protocol/time/clock.ts';
import { runParty } from './run.ts';

const say = (word: string) => process.stdout.write(`${word}\n`);
// Something keeps the process alive, as a listening port does.
systemClock.after(60_000, () => undefined);

void runParty(async () => {
  say('ready');
  return async () => {
    say('stopping');
    await new Promise(setImmediate);
    say('stopped');
  };
});
