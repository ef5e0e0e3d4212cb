/** Sessions, signatures and exchange tokens that are over and used all the same; replies that are refused. */
import { AUTHENTICATE, anyway, around, DISCONNECT, LOGOUT, now, onCall } from './parts.mjs';

/** Refuses replies for what a right client does not mind. */
function refusing(isRefused) {
  const right = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const response = await right(url, init);
    const text = await response.text();
    if (!response.ok || !text.startsWith('{')) return new Response(text, { status: response.status });
    return new Response(isRefused(JSON.parse(text)) ? '' : text);
  };
}

/** Uses exchange tokens again. */
const usingAgain = (isKept) => (client) => {
  let kept;
  around(client, 'exchangeToken', async (right) => kept ?? right());
  around(client, 'ehr', async (right, method, params, ...rest) => {
    if (method !== AUTHENTICATE) return right(method, params, ...rest);
    const failed = await right(method, params, ...rest).catch((error) => ({ error }));
    // It learns from the next refusal.
    kept = kept === undefined && isKept(failed.error?.code) ? params.exchangeToken : undefined;
    if (failed.error) throw failed.error;
    return failed;
  });
};

/** Leaves out an ending at the EHR server after it has failed. */
const forcing = (ending) => (client) => {
  let failed = false;
  around(client, 'endAtEhr', async (right, method) => {
    if (method !== ending) return right(method);
    if (failed) return;
    await right(method).catch((error) => {
      failed = true;
      throw error;
    });
  });
};

export const sessions = {
  'former-session-goes-on': (client) =>
    around(client, 'signIn', (_right, { phone }) => {
      client.phone = phone;
      return client.resend();
    }),
  'former-session-ended-at-ehr-alone': (client) =>
    around(client, 'signIn', async (_right, { phone }) => {
      if (client.storage.session) await client.ehr(LOGOUT, {}).catch(() => undefined);
      client.phone = phone;
      return client.resend();
    }),
  'ttl-in-seconds': (client) => {
    let endsAt = Number.POSITIVE_INFINITY;
    around(client, 'confirm', async (right, ...given) => {
      const result = await right(...given);
      endsAt = now() + result.authInfo.ttl * 1_000;
      return result;
    });
    around(client, 'readPatient', (right, options) => {
      if (now() < endsAt) return right(options);
      client.forgetSession();
      return { sees: 'signedOut', text: 'Your session has ended, please sign in.' };
    });
  },
  'leaves-with-ehr-call-alone': (client) =>
    around(client, 'auth', (right, method, ...rest) =>
      method === 'auth.logout' && process.stdin.readableEnded ? {} : right(method, ...rest),
    ),
  'never-out-at-auth': (client) =>
    around(client, 'endAtEhr', (right, method) =>
      right(method).catch((error) => {
        if (error.code !== 'nothing_to_end') throw error;
        client.forgetSession();
        throw Object.assign(error, { code: 'signed_out' });
      }),
    ),
  'expired-is-ended': (client) =>
    around(client, 'ehr', (right, method, ...rest) =>
      right(method, ...rest).catch((error) => {
        if (method === LOGOUT && error.code === -33001) return {};
        throw error;
      }),
    ),
  'exchange-token-used-after-success': usingAgain((code) => code === undefined),
  'exchange-token-used-after-expiry': usingAgain((code) => code === -33001),
  'signature-of-former-link-sent': (client) => {
    let first;
    around(client, 'show', (right, result) => {
      first ??= result.user_sign;
      return right(result);
    });
    around(client, 'confirm', (right, phone, code, sign) => right(phone, code, sign && first));
  },
  'signature-to-ehr': (client) =>
    onCall(({ params }) => {
      const [sign] = Object.values(client.storage.signatures);
      if (sign) params.user_sign = sign;
    }, 'patient.get_patient')(client),
  'wrong-codes-lock-out': (client) => {
    let wrong = 0;
    around(client, 'enterCode', (right, action) => {
      if (wrong >= 3) return { sees: 'error', text: 'Too many wrong codes, you cannot sign in any more.' };
      return right(action).catch((error) => {
        wrong += 1;
        throw error;
      });
    });
  },
  'ids-must-be-texts': () => refusing(({ id }) => typeof id !== 'string'),
  'refuses-unknown-members': () => refusing((reply) => reply.servedBy !== undefined),
  'decides-by-reason-alone': () => {
    refusing(({ error }) => error && !error.data?.reason);
  },
  'auth-first-when-leaving': (client) =>
    around(client, 'logout', async (right) => {
      if (process.stdin.readableEnded) await anyway(client.auth('auth.logout', {}, client.storage.session));
      return right();
    }),
  'second-press-forces': forcing(LOGOUT),
  'second-deletion-forces': forcing(DISCONNECT),
  'no-answer-is-logout': (client) =>
    around(client, 'ehr', async (right, method, ...rest) => {
      const begun = now();
      return right(method, ...rest).catch((error) => {
        if (method === LOGOUT && now() - begun > 1_000) return {};
        throw error;
      });
    }),
  'signatures-of-all-dropped-at-disconnection': (client) =>
    around(client, 'disconnect', async (right) => {
      const seen = await right();
      client.storage.signatures = {};
      client.save();
      return seen;
    }),
  'signatures-of-all-dropped-at-deletion': (client) =>
    around(client, 'deleteAccount', async (right) => {
      const seen = await right();
      client.storage.signatures = {};
      client.save();
      return seen;
    }),
  'long-ttl-refused': (client) =>
    around(client, 'confirm', async (right, ...given) => {
      const result = await right(...given);
      if (result.authInfo.ttl > 525_600) throw Object.assign(new Error('too long'), { code: -32602 });
      return result;
    }),
  'reply-to-nobody-taken': () => {
    const right = globalThis.fetch;
    globalThis.fetch = async (url, init) => {
      const { id } = JSON.parse(init.body);
      const text = await (await right(url, init)).text();
      return new Response(text.replace('"id":null', `"id":${id}`));
    };
  },
};
