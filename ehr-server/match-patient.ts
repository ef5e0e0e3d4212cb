/** Converts patient properties to a search of the MIS (§2.5, decisions 23 to 28). */
import { RpcError } from '#protocol/wire/errors.ts';
import type { PatientProperties } from '#protocol/wire/fields.ts';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/wire/matching.ts';
import type { EhrRules } from './context.ts';
import type { MatchQuery } from './mis/mis.ts';

type Search = Pick<PatientProperties, 'searchStrategy' | 'medCardId'> & {
  patientProperties: PatientProperties;
};

/**
 * Build the search. The strategy and the card number may stand beside the properties or among them. An empty
 * value counts as absent (decision 30).
 * @throws RpcError `invalid_params` when a required property is missing, when the two places contradict each
 *   other, or when the search by card is turned off
 */
export function matchQuery(
  { patientProperties: properties, ...search }: Search,
  required: EhrRules['matchingRequired'],
  searchesCards = true,
): MatchQuery {
  const strategy = oneOf('searchStrategy', search.searchStrategy, properties.searchStrategy) ?? 'PHONE';
  const card = oneOf('medCardId', search.medCardId, properties.medCardId);
  const phone = properties.phone === undefined ? undefined : phoneKey(properties.phone);
  if (strategy === 'MEDCARD') {
    if (!searchesCards) throw invalid(['params.searchStrategy: this server does not search by medical card']);
    if (card === undefined || phone === undefined) {
      throw invalid([
        ...(card === undefined ? ['params.medCardId: is required with searchStrategy MEDCARD'] : []),
        ...(phone === undefined ? ['params.patientProperties.phone: is required'] : []),
      ]);
    }
    return { strategy, card: cardKey(card), phone };
  }
  const absent = required.filter((name) => properties[name] == null);
  if (absent.length > 0) throw invalid(absent.map((name) => `params.patientProperties.${name}: is required`));
  const { name, surname, date, gender } = properties;
  const day = date === undefined ? undefined : dayKey(date);
  return {
    strategy,
    ...(name !== undefined && { name: nameKey(name) }),
    ...(surname !== undefined && { surname: nameKey(surname) }),
    ...(day !== undefined && { day }),
    ...(phone !== undefined && { phone }),
    ...(gender != null && { gender }),
  };
}

/**
 * What the failed matches of a search are counted by, besides its user (decision 37): the phone. Without one,
 * any other property may be the one that is guessed, so each set of the others counts.
 */
export function guessedIn(query: MatchQuery): string[] {
  const { phone } = query;
  if (phone !== undefined) return [phone];
  const { surname, name, day } = query as Extract<MatchQuery, { strategy: 'PHONE' }>;
  const sent = Object.entries({ surname, name, day }).filter(([, value]) => value !== undefined);
  return sent.map((guess) => JSON.stringify(sent.filter((property) => property !== guess)));
}

type MaybeEmpty<T> = T | '' | null | undefined;

function oneOf<T extends string>(name: string, beside: MaybeEmpty<T>, among: MaybeEmpty<T>): T | undefined {
  const [outer, inner] = [present(beside), present(among)];
  if (outer !== undefined && inner !== undefined && outer !== inner) {
    throw invalid([`params.${name} and params.patientProperties.${name} contradict each other`]);
  }
  return outer ?? inner;
}

function present<T extends string>(value: MaybeEmpty<T>): T | undefined {
  return value == null || value.trim() === '' ? undefined : (value as T);
}

function invalid(errors: string[]): RpcError {
  return new RpcError('invalid_params', { errors });
}
