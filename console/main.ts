/** Starts the console, which the demo runs beside its three parties. */
import { systemClock } from '#protocol/time/clock.ts';
import { warnOfUnsafePort } from '#service/http/listener/ports.ts';
import { createLog } from '#service/process/log.ts';
import { runParty } from '#service/process/run.ts';
import { readConsoleConfig } from './config.ts';
import { type Console, openConsole } from './server/open-console.ts';

/** The parties start at the same time: the console tries to look at them until they answer. */
const RETRY_INTERVAL_MS = 50;

await runParty(async () => {
  const config = readConsoleConfig(process.argv.slice(2), process.env);
  // Help was asked for.
  if (!config) return undefined;
  const log = createLog('console', config.logLevel);
  const opened = await openConsole(config, log);
  void watchWhenReady(opened);
  warnOfUnsafePort(log, opened.url);
  process.stdout.write(`Console ready at ${opened.url}/\n`);
  return () => opened.stop();
});

async function watchWhenReady(opened: Console): Promise<void> {
  try {
    await opened.watch();
  } catch {
    // A party does not answer yet.
    systemClock.after(RETRY_INTERVAL_MS, () => void watchWhenReady(opened));
  }
}
