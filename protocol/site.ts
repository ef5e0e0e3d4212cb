/** Where things stand on the site of the documents, and the links of reports and messages to it. */

/**
 * The address under which the site is published, with a slash at its end. While it is empty, no report and no
 * message links to the site.
 */
const SITE: string = '';

/** One place of a clause, with its address on the site. `design`, for one, has none. */
export type PlaceOfClause = { readonly text: string; readonly address?: string | undefined };

/** Escapes an id. A report may come from elsewhere, so an id may be any text. */
const escaped = (id: string) => encodeURIComponent(id.toWellFormed());

/** The path on the site of each thing that has a place there. */
export const pathOf = {
  check: (id: string) => `/checks/#${escaped(id)}`,
  requirement: (id: string) => `/requirements/#${escaped(id)}`,
  error: (reason: string) => `/errors/#${escaped(reason)}`,
  /** @param place one place of a clause: `§4.1`, `§1 rule 3`, `decision 9`; others have no page */
  place(place: string): string | undefined {
    const section = /^§(\d+(?:\.\d+)?(?: rule \d+)?)$/.exec(place)?.[1];
    if (section !== undefined) return `/interface#${section.replaceAll(/[. ]/g, '-')}`;
    const decision = /^decision (\w+)$/.exec(place)?.[1];
    return decision === undefined ? undefined : `/decisions/#decision-${decision.toLowerCase()}`;
  },
};

/** Returns the address of a path on the published site. Undefined while there is none. */
export function addressOf(path: string | undefined, site = SITE): string | undefined {
  return path === undefined || site === '' ? undefined : site + path.slice(1);
}

/** Returns the places of a clause such as `§4.1, decision 9`. */
export function placesOf(clause: string): PlaceOfClause[] {
  return clause.split(', ').map((text) => ({ text, address: addressOf(pathOf.place(text)) }));
}
