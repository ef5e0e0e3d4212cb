/** Faults of the client: `faulty.mjs` puts three of them into it, and the self-test of the kit each. */

/** A function for each fault, which changes a right client. */
export const faults = {
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
  'signature-for-everybody': (client) =>
    around(client, 'confirm', (right, phone, code, sign) =>
      right(phone, code, sign ?? Object.values(client.storage.signatures)[0]),
    ),
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
};

/** Replaces a method of an object. The new method gets the right method as its first argument. */
export function around(client, method, faulty) {
  const right = client[method].bind(client);
  client[method] = (...args) => faulty(right, ...args);
}

/** The machine's time in milliseconds. */
export const now = () => Date.now();
