/** The addresses of the site to which reports, messages and pages of the programs link. */
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { requirements } from '#protocol/requirements.ts';
import { addressOf, type PlaceOfClause, placesOf } from '#protocol/site.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import { ownKit } from '../kit.ts';

/** The places in the clauses of requirements and methods. */
export function namedPlaces(): PlaceOfClause[] {
  const clauses = [...requirements, ...Object.values(ehrMethods), ...Object.values(authMethods)];
  return clauses.flatMap(({ clause }) => placesOf(clause));
}

/** Returns every address, once. */
export function linkedAddresses(): Set<string> {
  return new Set([
    ...Object.values(addressOf).filter((address) => typeof address === 'string'),
    ...ownKit.roles.flatMap(({ checks }) => checks.map(({ id }) => addressOf.check(id))),
    ...requirements.map(({ id }) => addressOf.requirement(id)),
    ...Object.keys(errorTable).map(addressOf.error),
    ...namedPlaces().flatMap(({ address }) => address ?? []),
  ]);
}
