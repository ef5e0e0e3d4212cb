/** Disconnects a record as another device of the person would: the kit itself calls the servers. */
import { EHR_METHODS } from './messages.ts';
import { type Servers, VERSION } from './servers.ts';

/**
 * Removes the link of the user of this phone, if there is one.
 * @param session the newest session of the client; another is opened when that one is over
 */
export async function disconnectByHand(
  servers: Servers,
  phone: string,
  session: Session | undefined,
): Promise<void> {
  const disconnect = (by: Session | undefined) =>
    callServer(`${servers.ehrUrl}/${VERSION}/`, EHR_METHODS.disconnect, {}, by);
  if (await disconnect(session)) return;
  await callServer(servers.authUrl, 'auth.request_otp', { phone });
  const confirmed = await callServer(servers.authUrl, 'auth.confirm_otp', {
    phone,
    code: servers.code(phone),
  });
  await disconnect(confirmed?.authInfo);
}

type Session = { user: string; token: string };

/** Calls a server as another client does. Undefined: it refused. */
async function callServer(
  url: string,
  method: string,
  params: object,
  session?: Session,
): Promise<{ authInfo?: Session } | undefined> {
  const cred = session && { user: session.user, token: session.token };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'elsewhere', method, params, cred }),
  });
  return ((await response.json()) as { result?: { authInfo?: Session } }).result;
}
