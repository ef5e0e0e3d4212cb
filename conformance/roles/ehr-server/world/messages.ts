/** Builds the JSON-RPC bodies that the kit sends to an EHR server. */

export const METHODS = {
  saveAuthInfo: 'embedded_storage.save_auth_info',
  saveExchangeToken: 'embedded_storage.save_exchange_token',
  authenticate: 'embedded_storage.authenticate',
  getPatient: 'patient.get_patient',
  removeAuthInfo: 'embedded_storage.remove_auth_info',
  removeAuthentication: 'embedded_storage.remove_authentication',
} as const;

/** In an internal call the internal user and a digest (§5). */
export type Cred = { user: string; token: string };

/** `ttl` is in the server's unit. Only checks of `created` send it, in any form. */
export type AuthInfo = Cred & { ttl: number; created?: unknown };

export const pairOf = ({ user, token }: Cred): Cred => ({ user, token });

/** Returns a call with the id 1. It has a cred only where one is given. */
export const callOf = (method: string, params: object, cred?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
  ...(cred !== undefined && { cred }),
});

export const readOf = (members: Record<string, unknown>) => ({
  ...callOf(METHODS.getPatient, {}),
  ...members,
});

export const readCall = (members: Record<string, unknown>) => JSON.stringify(readOf(members));
