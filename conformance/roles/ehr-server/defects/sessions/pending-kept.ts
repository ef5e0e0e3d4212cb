/** Keeps exchange tokens alive beyond a removal that must end them. */
import type { NewExchangeToken, Store } from '#ehr-server/store/store.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { withStore } from '../parts.ts';

/** Lets the pending exchange tokens of a session, or of a user, outlive this removal. */
export function keepsPending(removal: 'removeSession' | 'removeUser'): EhrChange {
  return withStore((store) => {
    const pending = new Map<string, NewExchangeToken>();
    /** Tokens that were stored again, by the hash that callers send. */
    const renewed = new Map<string, Uint8Array>();
    const hashOf = (hash: Uint8Array) => renewed.get(String(hash)) ?? hash;
    const remove: Store['removeSession'] = async (tokenHash, user, now) => {
      const isRemoved = await store[removal](tokenHash, user, now);
      for (const [key, token] of isRemoved ? pending : []) {
        const isOfSession = String(token.session.tokenHash) === String(tokenHash);
        if (token.session.user !== user || (removal === 'removeSession' && !isOfSession)) continue;
        const hash = hashToken(`${key} again ${now}`);
        renewed.set(key, hash);
        await store.saveExchangeToken({ ...token, hash }, now);
      }
      return isRemoved;
    };
    return {
      [removal]: remove,
      refusalOf: (attempt) => store.refusalOf({ ...attempt, exchangeToken: hashOf(attempt.exchangeToken) }),
      countFailure: (attempt) => store.countFailure({ ...attempt, exchangeToken: hashOf(attempt.exchangeToken) }),
      async saveExchangeToken(token, now) {
        const outcome = await store.saveExchangeToken(token, now);
        if ('id' in outcome) pending.set(String(token.hash), token);
        return outcome;
      },
      async link(request) {
        const outcome = await store.link({ ...request, exchangeToken: hashOf(request.exchangeToken) });
        if (!('refused' in outcome)) pending.delete(String(request.exchangeToken));
        return outcome;
      },
    };
  });
}
