/** The bodies of calls, and what stands for a session in them. */

export const METHODS = {
  saveAuthInfo: 'embedded_storage.save_auth_info',
  saveExchangeToken: 'embedded_storage.save_exchange_token',
  authenticate: 'embedded_storage.authenticate',
  getPatient: 'patient.get_patient',
  removeAuthInfo: 'embedded_storage.remove_auth_info',
  removeAuthentication: 'embedded_storage.remove_authentication',
} as const;

/** What stands for a session in a call (§5.4). */
export type Cred = { user: string; token: string };

/** A session as the authorization server announces it (§2.3). */
export type AuthInfo = Cred & { ttl: number };

export const pairOf = ({ user, token }: Cred): Cred => ({ user, token });

/** A call with the id 1, without a cred unless given. */
export const callOf = (method: string, params: object, cred?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
  ...(cred !== undefined && { cred }),
});

/** A read, and members of its envelope that replace or add to its own. */
export const readOf = (members: Record<string, unknown>) => ({
  ...callOf(METHODS.getPatient, {}),
  ...members,
});

export const readCall = (members: Record<string, unknown>) => JSON.stringify(readOf(members));
