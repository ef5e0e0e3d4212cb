#!/usr/bin/env node
/**
 * Starts the EHR server of `server.mjs` with severe faults in it, to see whether tests find them.
 *
 * Usage: as `server.mjs`. FAULTS=name,name chooses faults; all are on without it.
 *
 * | Fault | Rule that it breaks |
 * |---|---|
 * | `token-works-twice` | an exchange token opens one session, then it is used up (§3) |
 * | `token-never-expires` | an exchange token lives for ten minutes (§2.4, §8) |
 * | `digest-not-verified` | without the signature of the user no session is saved (§5.1, §1 rule 9) |
 * | `other-user-readable` | a session opens the record of its own user alone (§4.4, §5.4) |
 * | `logout-keeps-session` | remove_auth_info ends the session (§4.5) |
 * | `disconnect-keeps-link` | remove_authentication cancels the link and its signature (§4.6) |
 * | `token-saved-again` | a repeated save of a stored token is an error (§4.1) |
 * | `one-of-several` | properties that fit several patients identify nobody (§4.3) |
 * | `guesses-not-counted` | failed matches are limited: 5 an exchange token, 20 an hour a user and a phone |
 * | `one-error-for-all` | a client can tell "not authenticated" from other refusals (§7) |
 */
import { run } from './server.mjs';

/** A function for each fault, which changes a right server. */
const FAULTS = {
  'token-works-twice': (ehr) =>
    around(ehr, 'authenticate', (right, params) => {
      const result = right(params);
      ehr.exchangeTokens.get(params.exchangeToken).isEnded = false;
      return result;
    }),
  'token-never-expires': (ehr) => {
    ehr.exchangeTokenLifetimeMs = Number.POSITIVE_INFINITY;
  },
  'digest-not-verified': (ehr) => around(ehr, 'verifyDigest', () => undefined),
  'other-user-readable': (ehr) =>
    around(ehr, 'getPatient', (right, params, cred) => {
      const [token = cred.token] = [...ehr.sessions].find(([, { user }]) => user === cred.user) ?? [];
      return right(params, { ...cred, token });
    }),
  'logout-keeps-session': (ehr) => around(ehr, 'removeAuthInfo', () => ({})),
  'disconnect-keeps-link': (ehr) =>
    around(ehr, 'removeAuthentication', (_right, params, cred) => ehr.removeAuthInfo(params, cred)),
  'token-saved-again': (ehr) =>
    around(ehr, 'saveAuthInfo', (right, params, cred) => {
      ehr.sessions.delete(params.authInfo?.token);
      return right(params, cred);
    }),
  'one-of-several': (ehr) =>
    around(ehr, 'whyNotLinked', (right, found, user) => right(found.slice(0, 1), user)),
  'guesses-not-counted': (ehr) => around(ehr, 'countFailure', () => undefined),
  'one-error-for-all': (ehr) =>
    around(ehr, 'execute', (right, call, channel) => {
      try {
        return right(call, channel);
      } catch (error) {
        error.reason = 'not_authorized';
        throw error;
      }
    }),
};

/** Replaces a method of an object. The new method gets the right method as its first argument. */
function around(ehr, method, faulty) {
  const right = ehr[method].bind(ehr);
  ehr[method] = (...args) => faulty(right, ...args);
}

const names = process.env.FAULTS?.split(',') ?? Object.keys(FAULTS);
await run((ehr) => {
  for (const name of names) FAULTS[name](ehr);
});
