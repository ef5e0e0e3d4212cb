/** The base of the server tests: the internal secret, the settings, the personas as patients. */
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import { personaList, personas } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/wire/fields.ts';

export const INTERNAL_USER = 'auth-server';
/** Contains a non-ASCII letter, because the digest is over UTF-8. */
export const INTERNAL_PASSWORD = 'internal-pässword';

/** The environment of both servers in tests: in memory, on free ports, without a log. */
export const testEnvironment: Readonly<Record<string, string>> = {
  EHR_PORT: '0',
  EHR_DATABASE: ':memory:',
  EHR_LOG_LEVEL: 'silent',
  EHR_RATE_LIMIT: 'off',
  AUTH_PORT: '0',
  AUTH_DATABASE: ':memory:',
  AUTH_LOG_LEVEL: 'silent',
  AUTH_RATE_LIMIT: 'off',
  AUTH_OTP_RESEND_AFTER: '0',
  AUTH_WITHOUT_CORRESPONDENCE: personas.orphan.signIn,
  EHR_INTERNAL_USER: INTERNAL_USER,
  EHR_INTERNAL_PASSWORD: INTERNAL_PASSWORD,
};

export function personaMis(more: readonly Patient[] = []) {
  return createMemoryMis([...personaList.flatMap(({ patients }) => [...patients]), ...more]);
}
