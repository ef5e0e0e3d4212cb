/** `npm run fuzz`: hostile input of every level against a server, or a finding once more. */
import { systemClock } from '#protocol/clock.ts';
import { fuzzCli } from './cli.ts';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());

process.exitCode = await fuzzCli(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  signal: interrupt.signal,
  clock: systemClock,
  freshSeed: () => Math.floor(Math.random() * 2 ** 31),
});
