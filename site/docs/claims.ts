/** The claims of `SECURITY.md`, and whether a test that the section names shows each. */
import type { Citation } from './citations.ts';

export const THREATS_PAGE = 'SECURITY.md';

type Claim = { readonly id: string; readonly line: number; readonly section: string };

/** Tells whether the id that a test names is a claim of the threat model, and not a requirement. */
export function isClaim({ id }: Citation): boolean {
  return id.startsWith('T-');
}

/** Lists what is wrong with the claims. A claim is an item of a list that begins with its id. */
export function claimProblems(text: string, citations: readonly Citation[]): string[] {
  const claimed = claimsOf(text);
  const at = ({ id, line }: Claim) => `${THREATS_PAGE}:${line} the claim ${id}`;
  const find = (wanted: string) => claimed.findLast(({ id }) => id === wanted);
  return [
    ...claimed.filter((claim) => find(claim.id) !== claim).map((claim) => `${at(claim)} stands here twice.`),
    ...claimed
      .filter(({ id }) => !citations.some((citation) => citation.id === id))
      .map((claim) => `${at(claim)} is shown by no test.`),
    ...citations.flatMap(({ id, file, title }) => {
      const claim = find(id);
      if (!claim) return [`${file}: "${title}" cites ${id}, and ${THREATS_PAGE} makes no such claim.`];
      const isLinked = claim.section.includes(`](${file})`);
      return isLinked ? [] : [`${at(claim)} has a test in ${file}, which its section does not link.`];
    }),
  ];
}

/** Returns every claim with the whole text of its section, down to the next heading. */
function claimsOf(text: string): Claim[] {
  const found: Claim[] = [];
  let line = 1;
  for (const section of text.split(/^(?=#)/m)) {
    for (const [index, row] of section.split('\n').entries()) {
      const id = /^- `(T-[^`]*)` /.exec(row)?.[1];
      if (id !== undefined) found.push({ id, line: line + index, section });
    }
    line += section.split('\n').length - 1;
  }
  return found;
}
