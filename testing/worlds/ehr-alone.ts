/** An EHR server alone in the test's process, with the personas, and every message checked. */
import { onTestFinished } from 'vitest';
import type { Link } from '#conformance/engine/journal/entry.ts';
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr } from '#ehr-server/index.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { type Random, seededRandom } from '#protocol/time/random.ts';
import { createLog, type LogLevel } from '#service/process/log.ts';
import { personaMis, testEnvironment } from '../fixtures.ts';
import { recordedAt } from '../recording/recorded-flow.ts';
import { callerOf, rejectViolations, wireGuard } from '../wire.ts';
import { ehrCalls } from './ehr-calls.ts';

export type EhrAloneOptions = {
  /** Settings by environment variable, in addition to {@link testEnvironment}. */
  env?: Record<string, string>;
  random?: Random;
  logTo?: { level: LogLevel; write: (line: string) => void };
  mayFail?: boolean;
};

/** It stops at the end of the test, which fails when a message violated the contract. */
export async function ehrAlone({
  env = {},
  random = seededRandom(1),
  logTo,
  mayFail = false,
}: EhrAloneOptions = {}) {
  const config = readEhrConfig([], { ...testEnvironment, ...env });
  if (!config) throw new Error('No settings were read.');
  const clock = manualClock();
  const guard = wireGuard(ehrMethods);
  const log = logTo
    ? createLog('ehr-server', logTo.level, { write: logTo.write })
    : createLog('ehr-server', 'silent');
  const mis = personaMis();
  const ehr = await createEhr({ config, clock, random, log, mis, onExchange: guard.observe });
  onTestFinished(async () => {
    await ehr.stop();
    rejectViolations(
      guard.violations.filter((violation) => !(mayFail && violation.includes('internal_error'))),
    );
  });
  const internalEndpoint = ehr.endpoint.replace(ehr.url, ehr.internalUrl);
  const callerOn = async (link: Link, endpoint: string) => {
    const { origin, pathname } = new URL(endpoint);
    return callerOf<typeof ehrMethods>((await recordedAt(link, origin)) + pathname);
  };
  return {
    ehr,
    clock,
    mis,
    config,
    exchanges: guard.seen,
    internalEndpoint,
    ...ehrCalls(await callerOn('client->ehr', ehr.endpoint), await callerOn('auth->ehr', internalEndpoint)),
  };
}
