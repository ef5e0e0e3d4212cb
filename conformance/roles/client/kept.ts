/** What stands in the storage of a client, by name and without any value. */
import { findCanaries } from '../../engine/journal/secrets/canaries.ts';
import type { Knowledge } from '../../engine/journal/secrets/knowledge.ts';
import type { Handed } from './servers/handed.ts';

/** Lists what is found, as "the session token, surname"; empty when there is nothing. */
export function keptIn(
  texts: readonly string[],
  { patientData, formsOf }: Pick<Knowledge, 'patientData' | 'formsOf'>,
  handed: Handed,
): string {
  const { session, exchangeTokens, signs } = handed.known('ehr');
  const sought = new Map([
    ...patientData,
    ...(session ? [[session.token, KEPT.session] as const] : []),
    ...[...exchangeTokens].map((token) => [token, KEPT.exchangeToken] as const),
    ...[...signs].map((sign) => [sign, KEPT.sign] as const),
  ]);
  const found = texts.flatMap((text) => findCanaries(Buffer.from(text, 'utf8'), [...sought.keys()], formsOf));
  return [...new Set(found.map(({ value }) => sought.get(value)))].join(', ');
}

/** The names of what is no value of a patient. */
export const KEPT = {
  session: 'the session token',
  exchangeToken: 'an exchange token',
  sign: 'a user_sign',
} as const;
