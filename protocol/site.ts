/** The addresses of the site that reports, messages and documents link to. */

/** The address of the site; `homepage` of package.json says the same. */
export const SITE = 'https://embedded-ehr-harness.github.io/';

/** The address of each thing that has a page, or a place on one. */
export const addressOf = {
  defects: `${SITE}defects/`,
  /** @param id any text: a report may come from elsewhere */
  check: (id: string) => `${SITE}checks/${encodeURIComponent(id.toWellFormed())}`,
  requirement: (id: string) => `${SITE}requirements/${id}`,
  error: (reason: string) => `${SITE}errors/#${reason}`,
  /** @param place one place of a clause: `§4.1`, `§1 rule 3`, `decision 9`; others have no page */
  place(place: string): string | undefined {
    const section = /^§(\d+(?:\.\d+)?(?: rule \d+)?)$/.exec(place)?.[1];
    if (section !== undefined) return `${SITE}interface#${section.replaceAll(/[. ]/g, '-')}`;
    const decision = /^decision (\w+)$/.exec(place)?.[1];
    return decision === undefined ? undefined : `${SITE}decisions/#decision-${decision.toLowerCase()}`;
  },
};
