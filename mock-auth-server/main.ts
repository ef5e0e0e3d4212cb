/** Starts the authorization server from the command line and the environment. */
import { movableClock, systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { withControl } from '#service/http/control.ts';
import { warnOfUnsafePort } from '#service/http/listener/ports.ts';
import { createLog } from '#service/process/log.ts';
import { runParty } from '#service/process/run.ts';
import { readAuthConfig } from './config.ts';
import { createAuthServer } from './index.ts';

await runParty(async () => {
  const config = readAuthConfig(process.argv.slice(2), process.env);
  // Help was asked for.
  if (!config) return undefined;
  const log = createLog('auth-server', config.logLevel);
  const clock = movableClock(systemClock);
  const server = await createAuthServer({ config, clock, random: systemRandom, log });
  const stop = await withControl(server, 'auth', clock, config.controlPort);
  warnOfUnsafePort(log, server.url);
  process.stdout.write(`Authorization server ready at ${server.url}/, messages at ${server.url}/sms\n`);
  return stop;
});
