/** The addresses of the site that reports, messages and documents link to. */

/** The address of the site; `homepage` of package.json says the same. */
export const SITE = 'https://embedded-ehr-harness.github.io/';

/** One place of a clause, with its address on the site. `design`, for one, has none. */
export type PlaceOfClause = { readonly text: string; readonly address?: string | undefined };

/** Escapes an id. A report may come from elsewhere, so an id may be any text. */
const escaped = (id: string) => encodeURIComponent(id.toWellFormed());

/** The address of each thing that has a page, or a place on one. */
export const addressOf = {
  /** What stands in the files about parties. */
  files: `${SITE}files`,
  codeNotFound: `${SITE}judge#the-code-is-not-found`,
  restore: `${SITE}running#restore`,
  manyServers: `${SITE}scale`,
  check: (id: string) => `${SITE}checks/${escaped(id)}`,
  requirement: (id: string) => `${SITE}requirements/${escaped(id)}`,
  error: (reason: string) => `${SITE}errors/#${escaped(reason)}`,
  /** @param place one place of a clause: `§4.1`, `§1 rule 3`, `decision 9`; others have no page */
  place(place: string): string | undefined {
    const section = /^§(\d+(?:\.\d+)?(?: rule \d+)?)$/.exec(place)?.[1];
    if (section !== undefined) return `${SITE}interface#${section.replaceAll(/[. ]/g, '-')}`;
    const decision = /^decision (\w+)$/.exec(place)?.[1];
    return decision === undefined ? undefined : `${SITE}decisions/#decision-${decision.toLowerCase()}`;
  },
};

/** Returns the places of a clause such as `§4.1, decision 9`. */
export function placesOf(clause: string): PlaceOfClause[] {
  return clause.split(', ').map((text) => ({ text, address: addressOf.place(text) }));
}
