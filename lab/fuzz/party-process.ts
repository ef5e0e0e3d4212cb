/** The process of the fuzzed party: the real party on its own file, with a clock that its parent moves. */
import { type EhrConfig, readEhrConfig } from '#ehr-server/config.ts';
import { createEhr } from '#ehr-server/index.ts';
import { type AuthConfig, readAuthConfig } from '#mock-auth-server/config.ts';
import { createAuthServer } from '#mock-auth-server/index.ts';
import { movableClock, systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { createLog } from '#service/process/log.ts';
import { personaMis, testEnvironment } from '#testing/fixtures.ts';

const [party, folder] = process.argv.slice(2);
const clock = movableClock(systemClock);
const env = {
  ...testEnvironment,
  EHR_DATABASE: `${folder}/ehr.sqlite`,
  EHR_RATE_LIMIT: 'off',
  EHR_FAILED_MATCHES_PER_HOUR: '1000000',
  AUTH_DATABASE: `${folder}/auth.sqlite`,
  AUTH_ALLOW_TEST_LOGIN: '1',
  AUTH_OTP_RESEND_AFTER: '0',
  AUTH_OTP_PER_DAY: '1000000',
};
// Log lines are built, as in production, and discarded.
const log = createLog(String(party), 'info', { write: () => undefined });
const parts = { clock, random: systemRandom, log };
const ehr = await createEhr({ ...parts, config: readEhrConfig([], env) as EhrConfig, mis: personaMis() });

process.on('disconnect', () => process.exit());
process.on('message', (ms: number) => {
  clock.advance(ms);
  process.send?.(clock.now());
});
process.stdout.write(`${party === 'ehr' ? ehr.endpoint : await startAuth()}\n`);

async function startAuth(): Promise<string> {
  const config = readAuthConfig([], { ...env, AUTH_EHR_URL: ehr.url }) as AuthConfig;
  return `${(await createAuthServer({ ...parts, config })).url}/`;
}
