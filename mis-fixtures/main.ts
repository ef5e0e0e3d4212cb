/** `npm run fixtures`: writes a seeded population, or lists the personas. */
import { runFixtures } from './cli.ts';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());

process.exitCode = await runFixtures(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  signal: interrupt.signal,
});
