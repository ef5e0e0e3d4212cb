#!/usr/bin/env node
/**
 * Starts the EHR server of `server.mjs` with severe faults in it, to see whether tests find them.
 *
 * Usage: as `server.mjs`. FAULTS=name,name chooses faults; all are on without it.
 *
 * | Fault | Rule that it breaks |
 * |---|---|
 * | `token-works-twice` | an exchange token opens one session, then it is used up (§3) |
 * | `logout-keeps-session` | remove_auth_info ends the session (§4.5) |
 * | `disconnect-keeps-link` | remove_authentication cancels the link and its signature (§4.6) |
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
  'logout-keeps-session': (ehr) => around(ehr, 'removeAuthInfo', () => ({})),
  'disconnect-keeps-link': (ehr) =>
    around(ehr, 'removeAuthentication', (_right, params, cred) => ehr.removeAuthInfo(params, cred)),
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
