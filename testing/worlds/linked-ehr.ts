/** An EHR server alone in the test's process, with the personas, and every message checked. */

import { onTestFinished } from 'vitest';
import type { Link } from '#conformance/engine/journal/entry.ts';
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr } from '#ehr-server/index.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Cred } from '#protocol/methods/method-spec.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { type Random, seededRandom } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { createLog, type LogLevel } from '#service/process/log.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER, personaMis, testEnvironment } from '../fixtures.ts';
import * as people from '../people.ts';
import { recordedAt } from '../recording/recorded-flow.ts';
import { callerOf, post, type RpcCaller, rejectViolations, resultOf, wireGuard } from '../wire.ts';

/** Starts an EHR server without links. */
export async function unlinkedEhr(options?: EhrAloneOptions) {
  const alone = await ehrAlone(options);
  return {
    ...alone,
    people,
    async post(message: unknown, headers: Record<string, string> = {}) {
      return JSON.parse((await post(alone.ehr.endpoint, JSON.stringify(message), headers)).text);
    },
  };
}

/** User `u-anna` is linked to Anna by the session `token-anna` of one hour, not recorded yet. */
export async function linkedEhr(options?: EhrAloneOptions) {
  const ehr = await unlinkedEhr(options);
  const authInfo = { user: 'u-anna', token: 'token-anna', ttl: 60 };
  const { userSign } = await ehr.link(authInfo.user, authInfo.token, people.anna);
  return { ...ehr, authInfo, userSign, cred: { user: authInfo.user, token: authInfo.token } };
}

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

type Caller = RpcCaller<typeof ehrMethods>;

let exchangeTokens = 0;

/** @param toInternal calls the listener of the authorization server, where that is another one */
export function ehrCalls(call: Caller, toInternal: Caller = call) {
  const cred = (secret: string) => ({ user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, secret) });
  const saveExchangeToken = (exchangeToken: string, authInfo: Record<string, unknown>) =>
    toInternal('embedded_storage.save_exchange_token', { exchangeToken, authInfo }, cred(exchangeToken));
  const authenticate = (exchangeToken: string, patientProperties: Record<string, unknown>) =>
    call('embedded_storage.authenticate', { exchangeToken, patientProperties });
  return {
    call,
    toInternal,
    saveExchangeToken,
    authenticate,
    saveAuthInfo: (authInfo: Record<string, unknown>, userSign: string) =>
      toInternal('embedded_storage.save_auth_info', { authInfo }, cred(userSign)),
    read: (cred?: Cred) => call('patient.get_patient', {}, cred),
    /** Saves an exchange token for the session and authenticates with it. Returns the reply's result. */
    async link(user: string, token: string, patientProperties: Record<string, unknown>, ttl = 60) {
      const exchangeToken = `exchange-${++exchangeTokens}`;
      resultOf(await saveExchangeToken(exchangeToken, { user, token, ttl }));
      return resultOf(await authenticate(exchangeToken, patientProperties));
    },
  };
}
