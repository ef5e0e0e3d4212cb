/** `npm run timing`: whether refusals that say the same can be told apart by the time they take. */
import { timingCli } from './cli.ts';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());

process.exitCode = await timingCli(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  signal: interrupt.signal,
  stopwatch: () => performance.now() * 1e6,
});
