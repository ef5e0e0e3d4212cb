/** The form of a requirement, and the parties that must meet one. */

/** The parties that must meet a requirement, and that can be judged. */
export const parties = ['auth-server', 'ehr-server', 'client'] as const;
export type Party = (typeof parties)[number];

/** How binding it is, as in RFC 2119. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

/** One observable demand on a party. */
export type Requirement = {
  /**
   * Starts with the section of the interface ('4.1-token-unique') or D and the number of the decision
   * ('D9-ttl-minutes'); DE is the error table, DA the authorization server's own interface, X our own design,
   * K good practice that the conformance kit judges too.
   */
  readonly id: string;
  /**
   * Its sources, separated by comma and space: '§4.1', '§1 rule 3', 'decision 9', 'design', 'good practice'.
   */
  readonly clause: string;
  readonly party: Party | readonly Party[];
  readonly level: Level;
  /** The requirement in our own words: one testable sentence, in the present tense. */
  readonly text: string;
  /** Present only if no test can or need prove it: the reason in one sentence. */
  readonly excluded?: string;
};
