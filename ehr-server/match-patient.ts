/** From patient properties to a search of the MIS (§2.5, decisions 23 to 28). */
import { RpcError } from '#protocol/errors.ts';
import type { PatientProperties } from '#protocol/fields.ts';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/matching.ts';
import type { EhrConfig } from './config.ts';
import type { MatchQuery } from './mis/mis.ts';

type Search = {
  patientProperties: PatientProperties;
  searchStrategy?: 'PHONE' | 'MEDCARD' | null | undefined;
  medCardId?: string | null | undefined;
};

/**
 * Builds the search. The strategy and the card number may stand beside the properties or among them.
 * @throws RpcError `invalid_params` when a required property is missing, or the two places contradict each other
 */
export function matchQuery(
  { patientProperties: properties, ...search }: Search,
  required: EhrConfig['matchingRequired'],
): MatchQuery {
  const strategy = oneOf('searchStrategy', search.searchStrategy, properties.searchStrategy) ?? 'PHONE';
  const card = oneOf('medCardId', search.medCardId, properties.medCardId);
  const phone = properties.phone === undefined ? undefined : phoneKey(properties.phone);
  if (strategy === 'MEDCARD') {
    if (card === undefined || phone === undefined) {
      throw missing([...(card === undefined ? ['medCardId'] : []), ...(phone === undefined ? ['phone'] : [])]);
    }
    return { strategy, card: cardKey(card), phone };
  }
  const absent = required.filter((name) => properties[name] === undefined);
  if (absent.length > 0) throw missing(absent);
  const { name, surname, date, gender } = properties;
  const day = date === undefined ? undefined : dayKey(date);
  return {
    strategy,
    ...(name !== undefined && { name: nameKey(name) }),
    ...(surname !== undefined && { surname: nameKey(surname) }),
    ...(day !== undefined && { day }),
    ...(phone !== undefined && { phone }),
    ...(gender !== undefined && { gender }),
  };
}

function oneOf<T>(name: string, beside: T | null | undefined, among: T | null | undefined): T | undefined {
  if (beside != null && among != null && beside !== among) {
    throw new RpcError('invalid_params', {
      errors: [`params.${name} and params.patientProperties.${name} contradict each other`],
    });
  }
  return beside ?? among ?? undefined;
}

function missing(names: readonly string[]): RpcError {
  return new RpcError('invalid_params', {
    errors: names.map((name) => `params.patientProperties.${name}: is required`),
  });
}
