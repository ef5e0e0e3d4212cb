/** A party for the tests of `run.ts`. Its argument says whether its start `fails`. */
import { createServer } from 'node:http';
import { bind } from '../http/listener/ports.ts';
import { runParty } from './run.ts';

const [, , start] = process.argv;
const say = (word: string) => process.stdout.write(`${word}\n`);

void runParty(async () => {
  // Nobody closes this port: it is left open by a start that fails.
  await bind(createServer());
  if (start === 'fails') throw new Error('Failed to open the database: it is locked.');
  say('ready');
  return async () => {
    say('stopping');
    await new Promise(setImmediate);
    say('stopped');
  };
});
