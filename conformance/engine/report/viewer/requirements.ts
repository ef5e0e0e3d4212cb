/** Shows the requirements of a report as a table: whether each is met, and which checks say so. */
import type { Outcome } from '../../check/verdict.ts';
import type { Report, ReportedRequirement } from '../schema/schema.ts';
import { outcomesInOrder } from '../words.ts';
import { type Content, classOf, el, sign, tag } from './elements.ts';
import { findable, groupOf, textsIn } from './find.ts';

const outcomeOf: Readonly<Record<ReportedRequirement['status'], Outcome>> = {
  met: 'pass',
  broken: 'fail',
  warning: 'warning',
  inconclusive: 'inconclusive',
  'not judged': 'not applicable',
};

/** The explicit roles keep it a table for screen readers where a narrow screen shows a list. */
export function requirementsTable({ requirements }: Report): Content {
  const place = ({ status }: ReportedRequirement) => outcomesInOrder.indexOf(outcomeOf[status]);
  const rows = [...requirements].sort((a, b) => place(a) - place(b)).map(requirementRow);
  const heads = ['Clause', 'Requirement', 'Result', 'Judged by'].map((name) =>
    el('th', { role: 'columnheader', scope: 'col' }, name),
  );
  const table = el(
    'table.requirements',
    { role: 'table' },
    el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, heads)),
    el('tbody', { role: 'rowgroup' }, rows),
  );
  return [el('p.lead', leadOf(requirements)), groupOf(table)];
}

function leadOf(requirements: readonly ReportedRequirement[]): string {
  const number = (is: ReportedRequirement['status']) =>
    requirements.filter(({ status }) => status === is).length;
  const { length } = requirements;
  const counts = `${number('met')} met, ${number('broken')} broken, ${number('warning')} with a warning`;
  return `${length - number('not judged')} of ${length} requirements were judged: ${counts}, ${number('inconclusive')} inconclusive.`;
}

function requirementRow(requirement: ReportedRequirement): HTMLElement {
  const { id, clause, source, level, text, status, because, checks } = requirement;
  const outcome = outcomeOf[status];
  const judging = checks.map(({ check, outcome: result }) => {
    if (result === 'not run') return el('span.unasked', check);
    return el('a', { href: `#check-${check}` }, sign(result), el('span', check));
  });
  const cell = (kind: string, ...inside: Content[]) => el(kind, { role: 'cell' }, inside);
  const made = el(
    `tr.row.${classOf(outcome)}`,
    { role: 'row', id: `requirement-${id}` },
    cell('td.clause', clause),
    cell('td', el('p', text), el('p.small', `${level} · ${source} · ${id}`)),
    cell('td.status', tag(status, outcome), because !== undefined && el('p.small', whyOf(status, because))),
    cell('td.judges', judging.length > 0 ? judging : el('span.unasked', 'none')),
  );
  return findable({ element: made, kind: 'requirement', outcome, text: () => textsIn(requirement) });
}

const whyOf = (status: ReportedRequirement['status'], because: string) =>
  status === 'met' ? because : `Not judged because: ${because}`;
