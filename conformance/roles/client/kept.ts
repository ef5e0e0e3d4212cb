/** Finds in the storage of a client what it has kept, by name alone. */
import type { Values } from '../../engine/journal/entry.ts';
import { findCanaries } from '../../engine/journal/secrets/canaries.ts';
import type { Knowledge } from '../../engine/journal/secrets/knowledge.ts';
import type { ClientDriver, Seen } from './drivers/driver.ts';
import type { Handed } from './servers/handed.ts';

/** Returns the names of what stands in the texts, such as `the session token, surname`; '' for nothing. */
export function keptIn(
  texts: readonly string[],
  { patientData, formsOf }: Pick<Knowledge, 'patientData' | 'formsOf'>,
  handed: Handed,
): string {
  // Tokens and user_signs are the same set for both servers.
  const { session, exchangeTokens, signs } = handed.known('ehr');
  const sought = new Map([
    ...patientData,
    ...(session ? [[session.token, KEPT.session] as const] : []),
    ...[...exchangeTokens].map((token) => [token, KEPT.exchangeToken] as const),
    ...[...signs].map((sign) => [sign, KEPT.sign] as const),
  ]);
  const found = texts.flatMap((text) => findCanaries(text, [...sought.keys()], formsOf));
  return [...new Set(found.map(({ value }) => sought.get(value)))].join(', ');
}

/** The log and the storage are left out where the kit cannot look into them. */
export async function hiddenIn(
  driver: Pick<ClientDriver, 'logged' | 'kept'>,
  seen: readonly Seen[],
  knowledge: Pick<Knowledge, 'patientData' | 'formsOf'>,
  handed: Handed,
): Promise<Values> {
  const named = (texts: readonly string[]) => keptIn(texts, knowledge, handed);
  const [logged, kept] = [driver.logged?.(), await driver.kept?.()];
  return {
    beside: named([seen.at(-1)?.beside ?? '']),
    ...(logged && { logged: named(logged) }),
    ...(kept && { kept: named(kept) }),
  };
}

export const KEPT = {
  session: 'the session token',
  exchangeToken: 'an exchange token',
  sign: 'a user_sign',
} as const;
