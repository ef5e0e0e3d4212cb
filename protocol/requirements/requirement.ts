/** The form of a requirement, and the parties that must meet one. */

/** The parties that must meet a requirement, and that can be judged. */
export const parties = ['auth-server', 'ehr-server', 'client'] as const;
export type Party = (typeof parties)[number];

/** How binding it is, as in RFC 2119. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

/**
 * Where a requirement comes from. `interface`: a sentence of the interface. `field`: what deployed clients
 * and servers depend on. `decision`: a point that the interface leaves open, decided for our reference.
 * `practice`: what is safe or usable without being stated. Only the first two make a party not conformant.
 */
export const requirementSources = ['interface', 'field', 'decision', 'practice'] as const;
export type RequirementSource = (typeof requirementSources)[number];

/** One observable demand on a party. */
export type Requirement = Demand & (FromInterface | FromPractice | FromElsewhere);

type Demand = {
  /**
   * Starts with the section of the interface ('4.1-token-unique') or D and the number of the decision
   * ('D9-ttl-minutes'); DE is the error table, DA the authorization server's own interface, X our own design,
   * K good practice that the conformance kit judges too. A row keeps its id when its source changes.
   */
  readonly id: string;
  /**
   * Its places, separated by comma and space: '§4.1', '§1 rule 3', 'decision 9', 'design', 'good practice'.
   * The first one is of its source.
   */
  readonly clause: string;
  readonly party: Party | readonly Party[];
  readonly level: Level;
  /** The requirement in our own words: one testable sentence, in the present tense. */
  readonly text: string;
};

type FromInterface = {
  readonly source: 'interface';
  /** What the sentence of the interface says, in our own words. The text demands no more. */
  readonly basis: string;
  readonly risk?: undefined;
};

type FromPractice = {
  readonly source: 'practice';
  /** The harm where it is broken, such as "somebody who knows only the phone guesses the code". */
  readonly risk: string;
  readonly basis?: undefined;
};

type FromElsewhere = {
  readonly source: 'field' | 'decision';
  readonly basis?: undefined;
  readonly risk?: undefined;
};

type Parties = Requirement['party'];
type Row<Id> = Requirement & { readonly id: Id };

/** Rows of the interface: the places of each, what their sentence says in our words, and what it demands. */
export function interfaceRows<Id extends string>(
  party: Parties,
  level: Level,
  statements: Readonly<Record<Id, readonly [clause: string, basis: string, text: string]>>,
): Row<Id>[] {
  return rowsOf(statements, (id, [clause, basis, text]) => {
    return { id, clause, party, level, text, source: 'interface', basis };
  });
}

/** Rows of good practice: what each is about, the harm where it is broken, and what it demands. */
export function practiceRows<Id extends string>(
  party: Parties,
  level: Level,
  statements: Readonly<Record<Id, readonly [about: string, risk: string, text: string]>>,
): Row<Id>[] {
  return rowsOf(statements, (id, [about, risk, text]) => {
    return { id, clause: `good practice, ${about}`, party, level, text, source: 'practice', risk };
  });
}

/** Rows of the field, or of our own decisions. A row whose id names no decision begins with its places. */
export function decisionRows<Id extends string>(
  source: 'field' | 'decision',
  party: Parties,
  level: Level,
  statements: Readonly<Record<Id, string | readonly [clause: string, text: string]>>,
): Row<Id>[] {
  return rowsOf(statements, (id, statement) => {
    const [clause, text] = typeof statement === 'string' ? [clauseOf(id), statement] : statement;
    return { id, clause, party, level, text, source };
  });
}

/** The decision that an id names, such as `D9-ttl-minutes`. */
function clauseOf(id: string): string {
  const [prefix = ''] = id.split('-');
  return prefix === 'X' ? 'design' : `decision ${prefix.slice(1)}`;
}

function rowsOf<Id extends string, Statement>(
  statements: Readonly<Record<Id, Statement>>,
  row: (id: Id, statement: Statement) => Row<Id>,
): Row<Id>[] {
  return (Object.entries(statements) as [Id, Statement][]).map(([id, statement]) => row(id, statement));
}
