/** `npm run fuzz`: sends hostile input of every level to a server, or repeats a finding. */
import { systemClock } from '#protocol/time/clock.ts';
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
