/** The internal channel between the two mocks: real messages with real digests (§5), passed in memory. */
import { digest } from '#protocol/digest.ts';
import { callText, isObject, readReply } from '#protocol/envelope.ts';
import type { EhrHandlers } from './ehr-handlers.ts';
import type { AuthInfo } from './ehr-memory.ts';

/** The EHR server's refusal of a call. */
export type Refusal = { code: number; reason?: string };

/** Each call resolves to undefined on success, and to the EHR server's refusal otherwise. */
export type EhrCaller = {
  saveAuthInfo(authInfo: AuthInfo, userSign: string): Promise<Refusal | undefined>;
  saveExchangeToken(exchangeToken: string, authInfo: AuthInfo): Promise<Refusal | undefined>;
};

export function createEhrCaller({ pipeline, internal }: EhrHandlers['ehr']): EhrCaller {
  async function call(method: string, params: Record<string, unknown>, secret: string): Promise<Refusal | undefined> {
    const cred = { user: internal.user, token: digest(internal.password, secret) };
    const { body = '' } = await pipeline(callText({ id: 1, method, params, cred }), 'internal');
    const reply = readReply(body, 1);
    if ('result' in reply) return undefined;
    const { code, data } = reply.error;
    const reason = isObject(data) ? data.reason : undefined;
    return { code, ...(typeof reason === 'string' && { reason }) };
  }

  return {
    saveAuthInfo: (authInfo, userSign) => call('embedded_storage.save_auth_info', { authInfo }, userSign),
    saveExchangeToken: (exchangeToken, authInfo) =>
      call('embedded_storage.save_exchange_token', { exchangeToken, authInfo }, exchangeToken),
  };
}
