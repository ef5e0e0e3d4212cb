/** A party for the test of `run.ts` in a process of its own. */
import { runParty } from './run.ts';

const say = (word: string) => process.stdout.write(`${word}\n`);
setInterval(() => undefined, 60_000);

void runParty(async () => {
  say('ready');
  return async () => {
    say('stopping');
    await new Promise(setImmediate);
    say('stopped');
  };
});
