/** Starts the EHR server from the command line: flags and environment in, a running server out. */
import { movableClock, systemClock } from '#protocol/clock.ts';
import { systemRandom } from '#protocol/random.ts';
import { openControl } from '#service/control.ts';
import { createLog } from '#service/log.ts';
import { runParty } from '#service/run.ts';
import { readEhrConfig } from './config.ts';
import { createEhr } from './index.ts';
import { openSqliteMis } from './mis/sqlite.ts';

await runParty(async () => {
  const config = readEhrConfig(process.argv.slice(2), process.env);
  if (!config) return undefined;
  const log = createLog('ehr-server', config.logLevel);
  const clock = movableClock(systemClock);
  const mis = openSqliteMis(config.misDatabase ?? config.database);
  const ehr = await createEhr({ config, clock, random: systemRandom, log, mis });
  const control =
    config.controlPort === undefined
      ? undefined
      : await openControl(clock, config.controlPort, '--control-port (EHR_CONTROL_PORT)');
  const internal = ehr.internalUrl === ehr.url ? '' : `, internal channel at ${ehr.internalUrl}`;
  process.stdout.write(`EHR server ready at ${ehr.endpoint}${internal}\n`);
  return async () => {
    await Promise.all([control?.stop(), ehr.stop()]);
  };
});
