/** Defects in what becomes of a session that ends while a request is under way. */
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import type { Mock } from '../change.ts';
import { foundBy } from '../defect.ts';
import { later } from '../operators.ts';

type FoundSession = ReturnType<Mock['store']['sessions']['find']>;

/** The hash of a token as a text, so that it can be the key of a note. */
const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString('hex');

export const meanwhileDefects = foundBy({
  'no-token-after-logout': [
    'logout-not-looked-at: A logout during a request for an exchange token is overlooked',
    {
      parts(mock) {
        const { ehr, ledger } = mock;
        const { find } = mock.store.sessions;
        const { saveExchangeToken } = ehr;
        const seen = ledger.notes<FoundSession>('sessions found');
        const asking = ledger.notes<number>('tokens being saved');
        const add = (more: number) => asking.set('', (asking.get('') ?? 0) + more);
        mock.store.sessions.find = (hash) => {
          const key = keyOf(hash);
          const session = find(hash);
          if (session) seen.set(key, session);
          return session ?? (asking.get('') ? seen.get(key) : undefined);
        };
        ehr.saveExchangeToken = (token, info) => {
          add(1);
          return saveExchangeToken(token, info).finally(() => later(mock, 0, () => add(-1)));
        };
      },
    },
  ],
  'late-request-revives-nothing': [
    'session-written-back: A request for an exchange token that a logout overtook writes its session back',
    {
      parts(mock) {
        const { ehr, ledger } = mock;
        const { find } = mock.store.sessions;
        const { saveExchangeToken } = ehr;
        const back = ledger.notes<FoundSession>('sessions written back');
        mock.store.sessions.find = (hash) => find(hash) ?? back.get(keyOf(hash));
        ehr.saveExchangeToken = async (token, info) => {
          const hash = hashToken(info.token);
          const session = find(hash);
          const refusal = await saveExchangeToken(token, info);
          // By then the request itself is refused.
          if (!find(hash)) later(mock, 0, () => back.set(keyOf(hash), session));
          return refusal;
        };
      },
    },
  ],
});
