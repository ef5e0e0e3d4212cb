/** For tests: calls an EHR server as its two callers do, for one link and its end. */
import { createHash } from 'node:crypto';

/** What the authorization server calls itself. */
export type InternalUser = { user: string; password: string };

/** Values of the session that no file and no output may have. */
export const SESSION = {
  user: 'user-of-anna-0123456789',
  token: 'token-of-anna-0123456789',
  exchangeToken: 'exchange-token-of-anna-0123456789',
};

/** Links Anna, reads her record, and disconnects it. The page of the client has the origin. */
export async function linkAndDisconnect(
  { clients, authServer }: { clients: string; authServer: string },
  { user, password }: InternalUser,
  origin: string,
): Promise<void> {
  const call = async (endpoint: string, method: string, params: object, cred?: object) => {
    const headers = { 'content-type': 'application/json', ...(endpoint === clients && { origin }) };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred });
    const reply = await (await fetch(endpoint, { method: 'POST', headers, body })).json();
    if (!(reply as { result?: object }).result) throw new Error(`${method}: ${JSON.stringify(reply)}`);
  };
  const { exchangeToken, ...session } = SESSION;
  const token = createHash('sha1').update(`${password}${exchangeToken}`).digest('hex');
  const saved = { exchangeToken, authInfo: { ...session, ttl: 1_440 } };
  await call(authServer, 'embedded_storage.save_exchange_token', saved, { user, token });
  const born = { date: '1985-04-12 00:00:00.000', phone: '79990000001' };
  const patientProperties = { name: 'Anna', surname: 'Petrova', ...born };
  await call(clients, 'embedded_storage.authenticate', { exchangeToken, patientProperties });
  await call(clients, 'patient.get_patient', {}, session);
  await call(clients, 'embedded_storage.remove_authentication', {}, session);
}
