/** The methods of an EHR server, and what the ledger, the memory of all defects, learns from their calls. */
import type { Reading } from '../../../engine/defects/ledger.ts';

export const SAVE = 'embedded_storage.save_auth_info';
export const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';
export const AUTHENTICATE = 'embedded_storage.authenticate';
export const READ = 'patient.get_patient';
export const LOG_OUT = 'embedded_storage.remove_auth_info';
export const DISCONNECT = 'embedded_storage.remove_authentication';

export const SAVES = [SAVE, SAVE_EXCHANGE_TOKEN];
export const REMOVALS = [LOG_OUT, DISCONNECT];
export const RECORDS = [READ, AUTHENTICATE];
export const OF_SESSIONS = [READ, ...REMOVALS];

export const readEhrCalls: Reading = ({ method, params, cred, authInfo, result }, ledger) => {
  const isSave = SAVES.includes(method);
  // It names no user: the exchange token does.
  const isSearch = method === AUTHENTICATE;
  const exchangeToken = params.exchangeToken === undefined ? undefined : String(params.exchangeToken);
  const user = isSearch ? ledger.exchangeTokens.get(exchangeToken ?? '')?.user : String(cred.user);
  return {
    session: isSave ? { user: String(authInfo.user), token: String(authInfo.token) } : undefined,
    exchangeToken,
    used: isSearch ? exchangeToken : undefined,
    link: user !== undefined && 'patient' in result ? { user, result } : undefined,
  };
};
