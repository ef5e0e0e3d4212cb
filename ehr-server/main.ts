/** Starts the EHR server, or one of its commands, from the command line and the environment. */
import { movableClock, systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { withControl } from '#service/http/control.ts';
import { warnOfUnsafePort } from '#service/http/listener/ports.ts';
import { createLog } from '#service/process/log.ts';
import { runParty } from '#service/process/run.ts';
import { asksForCommand, readEhrConfig } from './config.ts';
import { createEhr } from './index.ts';
import { openMis } from './mis/open-mis.ts';

const argv = process.argv.slice(2);
if (asksForCommand(argv)) {
  // The server starts without loading the commands.
  const { runCommandProcess } = await import('./commands/run.ts');
  await runCommandProcess(argv);
} else await runParty(startServer);

async function startServer() {
  const config = readEhrConfig(argv, process.env);
  // Help was asked for.
  if (!config) return undefined;
  const log = createLog('ehr-server', config.logLevel);
  const clock = movableClock(systemClock);
  const mis = await openMis(config, log);
  const ehr = await createEhr({
    config,
    clock,
    random: systemRandom,
    log,
    mis,
    stopwatch: () => performance.now(),
  });
  const stop = await withControl(ehr, 'ehr', clock, config.controlPort);
  const internal = ehr.internalUrl === ehr.url ? '' : `, internal channel at ${ehr.internalUrl}`;
  warnOfUnsafePort(log, ehr.url);
  process.stdout.write(`EHR server ready at ${ehr.endpoint}${internal}\n`);
  return stop;
}
