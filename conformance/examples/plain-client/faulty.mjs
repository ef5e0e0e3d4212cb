#!/usr/bin/env node
/**
 * Starts the client of `client.mjs` with severe faults in it, to see whether tests find them.
 *
 * Usage: as `client.mjs`. FAULTS=name,name chooses faults; all three are on without it.
 *
 * | Fault | Rule that it breaks |
 * |---|---|
 * | `form-to-auth` | what the form collected never goes to the authorization server (§1 rule 3) |
 * | `signature-for-everybody` | the signature of one user is not sent at the sign-in of another (§1 rule 9) |
 * | `auth-first` | a logout and a deletion call the EHR server first (§4.5, §4.6) |
 */
import { run } from './client.mjs';
import { faults } from './faults.mjs';

const names = process.env.FAULTS?.split(',') ?? ['form-to-auth', 'signature-for-everybody', 'auth-first'];
await run((client) => {
  for (const name of names) faults[name](client);
});
