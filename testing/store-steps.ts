/** Common steps of the store tests: sessions, exchange tokens and links with short names. */

import type { Attempt, NewSession, Store } from '#ehr-server/store/store.ts';
import { hashToken } from '#protocol/wire/hashes.ts';

export const NOW = Date.UTC(2026, 0, 15, 9);
export const MINUTE_MS = 60_000;
export const TEN_MINUTES_MS = 10 * MINUTE_MS;
export const HOUR_MS = 60 * MINUTE_MS;

export function session(user: string, token: string, more: Partial<NewSession> = {}): NewSession {
  return {
    tokenHash: hashToken(token),
    user,
    lifetime: HOUR_MS,
    created: undefined,
    recordId: `r-${token}`,
    ...more,
  };
}

export const save = (
  store: Store,
  user: string,
  token: string,
  userSign: string,
  now = NOW,
  rules = { mayRecord: true },
) => store.saveSession(session(user, token), userSign, now, rules);

/** Stores an exchange token for a session of one hour. */
export function saveToken(store: Store, exchangeToken: string, user: string, token: string, now = NOW) {
  return saveAnnounced(store, exchangeToken, session(user, token), now);
}

export function saveAnnounced(
  store: Store,
  exchangeToken: string,
  { recordId, ...rest }: NewSession,
  now = NOW,
) {
  return store.saveExchangeToken(
    {
      hash: hashToken(exchangeToken),
      expiresAt: now + TEN_MINUTES_MS,
      recordId: `x-${recordId}`,
      session: rest,
    },
    now,
  );
}

export function use(
  store: Store,
  exchangeToken: string,
  patientId: string,
  now = NOW,
  newUserSign = `sign-${patientId}`,
) {
  const recordId = `r-${exchangeToken}`;
  return store.link({ ...attempt(exchangeToken, now), patientId, newUserSign, recordId });
}

/** Returns an attempt to identify a patient with the exchange token. */
export function attempt(exchangeToken: string, now = NOW, phone?: string): Attempt {
  return {
    exchangeToken: hashToken(exchangeToken),
    guessed: phone === undefined ? [] : [hashToken(phone)],
    now,
  };
}

/** Links `user` to `patientId` by the session of `token`. The signature is `sign-<patient>`. */
export async function link(
  store: Store,
  user: string,
  patientId: string,
  token: string,
  now = NOW,
): Promise<void> {
  const exchangeToken = `for-${user}-${token}-${now}`;
  const saved = await saveToken(store, exchangeToken, user, token, now);
  const outcome = await use(store, exchangeToken, patientId, now);
  if ('refused' in saved || 'refused' in outcome)
    throw new Error(`Could not link: ${JSON.stringify([saved, outcome])}`);
}

/** Returns the audit, one line for each entry, without its time. */
export async function auditLines(store: Store): Promise<string[]> {
  const entries = await store.readAudit({ after: 0, limit: 1_000 });
  return entries.map(({ action, user, patientId, outcome }) =>
    [action.replace(/^.*\./, ''), user, patientId ?? '-', outcome].join(' '),
  );
}

/** Waits until the purge that the clock started is done: it takes a few turns of the event loop. */
export async function untilPurged(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate);
}
