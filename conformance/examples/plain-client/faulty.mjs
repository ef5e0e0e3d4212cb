#!/usr/bin/env node
/**
 * The client of `client.mjs` with severe faults, to see whether tests find them.
 *
 * Usage: as `client.mjs`, with FAULTS=name,name for some of them; without FAULTS all are on.
 *
 * | Fault | Rule that it breaks |
 * |---|---|
 * | `form-to-auth` | what the form collected never goes to the authorization server (§1 rule 3) |
 * | `form-at-any-error` | the form is shown when the user is not authenticated, and at no other error (§7) |
 * | `form-without-asking` | after the sign-in the record is asked for first (§1 rule 2) |
 * | `link-not-reported` | the authorization server learns of a new link (§1 rule 6) |
 * | `exchange-token-kept` | an exchange token that has run out is replaced (§1 rule 5) |
 * | `signature-dropped` | the signature is kept, and goes along with the next sign-in (§1 rules 2 and 9) |
 * | `signature-outlives-link` | the signature of a disconnected record is forgotten (§4.6) |
 * | `auth-first` | the EHR server is the first to be called at an ending (§4.5, §4.6) |
 * | `auth-despite-refusal` | the authorization server is called only after its success (§4.5, §4.6) |
 * | `reason-swallowed` | each error is told in words, with a way on (§7) |
 */
import { run } from './client.mjs';

/** Each fault is a change to the right client. */
const FAULTS = {
  'form-to-auth': (client) =>
    around(client, 'authenticate', async (right, params) => {
      await client.auth('auth.exchange_token', params, client.storage.session);
      return right(params);
    }),
  'form-at-any-error': (client) =>
    around(client, 'readPatient', async (right, options) => {
      try {
        return await right(options);
      } catch {
        client.isFormOpen = true;
        return { sees: 'form', text: 'Please tell us who you are.' };
      }
    }),
  'form-without-asking': (client) =>
    around(client, 'readPatient', () => {
      client.isFormOpen = true;
      return { sees: 'form', text: 'Please tell us who you are.' };
    }),
  'link-not-reported': (client) => around(client, 'report', () => ''),
  'exchange-token-kept': (client) =>
    around(client, 'exchangeToken', async (right) => {
      client.firstExchangeToken ??= await right();
      return client.firstExchangeToken;
    }),
  'signature-dropped': (client) => around(client, 'confirm', (right, phone, code) => right(phone, code)),
  'signature-outlives-link': (client) =>
    around(client, 'endAtEhr', async (right, method) => {
      const signatures = { ...client.storage.signatures };
      await right(method);
      client.storage.signatures = signatures;
    }),
  'auth-first': (client) =>
    around(client, 'leave', async (_right, ehrMethod, authMethod, text) => {
      await client.auth(authMethod, {}, client.storage.session);
      await client.endAtEhr(ehrMethod);
      client.forgetSession();
      return { sees: 'signedOut', text };
    }),
  'auth-despite-refusal': (client) =>
    around(client, 'endAtEhr', async (right, method) => {
      await right(method).catch(() => undefined);
    }),
  'reason-swallowed': (client) =>
    around(client, 'act', async (right, action) => {
      const answer = await right(action);
      return answer.sees === 'patient' ? answer : { ...answer, text: 'Something went wrong.' };
    }),
};

/** Replaces a method by one that is given the right method. */
function around(client, method, faulty) {
  const right = client[method].bind(client);
  client[method] = (...args) => faulty(right, ...args);
}

const names = process.env.FAULTS?.split(',') ?? Object.keys(FAULTS);
await run((client) => {
  for (const name of names) FAULTS[name](client);
});
