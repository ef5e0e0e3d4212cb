/** The page of a requirement: whom it binds, where it stands, and what proves and judges it. */
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { page, places, table } from '../markdown.ts';
import type { Evidence, Matrix } from './requirements.ts';

/** Returns the pages of all requirements, by path. */
export function requirementPages({ requirements, evidence }: Matrix): Map<string, string> {
  return new Map(
    requirements.map((row) => [
      `requirements/${row.id}.md`,
      requirementPage(
        row,
        evidence.filter(({ id }) => id === row.id),
      ),
    ]),
  );
}

function requirementPage(row: Requirement, evidence: readonly Evidence[]): string {
  const { id, party, level, source, clause, text, basis, risk, excluded } = row;
  const list = (by: Evidence['by']) =>
    evidence
      .filter((one) => one.by === by)
      .map((one) => `- ${one.text}`)
      .join('\n') || 'None.';
  return page(
    `# ${id}`,
    `**${text}**`,
    table(['Who', 'Level', 'Source', 'Place'], [[[party].flat().join(', '), level, source, places(clause)]]),
    ...(basis === undefined ? [] : [`The interface says, in our words: ${basis}`]),
    ...(risk === undefined ? [] : [`Where it is broken, ${risk}.`]),
    ...(excluded === undefined ? [] : [`No test can or need prove it: ${excluded}`]),
    '## Checks that judge it',
    list('check'),
    '## Tests that prove it',
    list('test'),
  );
}
