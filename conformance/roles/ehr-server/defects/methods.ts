/**
 * Names the methods of an EHR server, and says what the ledger learns from their calls. The ledger is the
 * memory of what a server under the self-test saw, which all defects read.
 */
import type { Reading } from '../../../engine/defects/ledger.ts';

/**
 * The methods by their names on the wire. `READ` reads the record, `DISCONNECT` removes the link of a user.
 */
export const SAVE = 'embedded_storage.save_auth_info';
export const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';
export const AUTHENTICATE = 'embedded_storage.authenticate';
export const READ = 'patient.get_patient';
export const LOG_OUT = 'embedded_storage.remove_auth_info';
export const DISCONNECT = 'embedded_storage.remove_authentication';

/**
 * Saves of the authorization server; removals, reads of the record, and calls with a session of the client.
 */
export const SAVES = [SAVE, SAVE_EXCHANGE_TOKEN];
export const REMOVALS = [LOG_OUT, DISCONNECT];
export const RECORDS = [READ, AUTHENTICATE];
export const OF_SESSIONS = [READ, ...REMOVALS];

/**
 * Reads a call that succeeded: a save tells a session, and perhaps its exchange token; a reply with a record
 * tells the link of a user; authenticate uses an exchange token up.
 */
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
