#!/usr/bin/env node
/**
 * Starts the client of `client.mjs` with severe faults in it, to see whether tests find them.
 *
 * Usage: as `client.mjs`. FAULTS=name,name chooses faults; all are on without it.
 *
 * | Fault | Rule that it breaks |
 * |---|---|
 * | `form-to-auth` | what the form collected never goes to the authorization server (§1 rule 3) |
 * | `form-at-any-error` | the form is shown when the user is not authenticated, and at no other error (§7) |
 * | `form-without-asking` | after the sign-in the record is asked for first (§1 rule 2) |
 * | `link-not-reported` | the authorization server learns of a new link (§1 rule 6) |
 * | `exchange-token-kept` | an exchange token that has run out is replaced (§1 rule 5) |
 * | `signature-for-everybody` | the signature of one user is not sent at the sign-in of another (§1 rule 9) |
 * | `signature-outlives-link` | the signature of a disconnected record is forgotten (§4.6) |
 * | `auth-first` | a logout and a deletion call the EHR server first (§4.5, §4.6) |
 * | `auth-despite-refusal` | the authorization server is called after the EHR server's success (§4.5, §4.6) |
 * | `reason-swallowed` | each error is explained in words, with what to do next (§7) |
 */
import { run } from './client.mjs';
import { faults } from './faults.mjs';

const names = process.env.FAULTS?.split(',') ?? Object.keys(faults);
await run((client) => {
  for (const name of names) faults[name](client);
});
