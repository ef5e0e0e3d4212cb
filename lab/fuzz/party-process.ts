/** The process of the fuzzed party: the real party on its own file, with a clock that its parent moves. */

import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr } from '#ehr-server/index.ts';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { createAuthServer } from '#mock-auth-server/index.ts';
import { movableClock, systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { createLog } from '#service/process/log.ts';
import { personaMis, testEnvironment } from '#testing/fixtures.ts';

export type Party = 'ehr' | 'auth';
/** A question of the parent. Each is answered with a number. */
export type Question = { advance: number } | 'memory';
export type Answer = { endpoint: string } | { value: number };

const [party, folder] = process.argv.slice(2) as [Party, string];
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
const ehr = await startEhr();
const endpoint = party === 'ehr' ? ehr.endpoint : await startAuth(ehr.url);

process.on('disconnect', () => process.exit());
process.on('message', (question: Question) => {
  if (question !== 'memory') clock.advance(question.advance);
  answer({ value: question === 'memory' ? process.memoryUsage().rss : clock.now() });
});
answer({ endpoint });

function answer(value: Answer): void {
  process.send?.(value);
}

async function startEhr() {
  const config = readEhrConfig([], env);
  if (!config) throw new Error('No settings were read.');
  // Log lines are built, as in production, and discarded.
  const log = createLog('ehr-server', 'info', { write: () => undefined });
  return createEhr({ config, clock, random: systemRandom, log, mis: personaMis() });
}

async function startAuth(ehrUrl: string): Promise<string> {
  const config = readAuthConfig([], { ...env, AUTH_EHR_URL: ehrUrl });
  if (!config) throw new Error('No settings were read.');
  const log = createLog('auth-server', 'info', { write: () => undefined });
  const { url } = await createAuthServer({ config, clock, random: systemRandom, log });
  return `${url}/`;
}
