import type { Report, ReportedRequirement } from '../schema/schema.ts';
import { outcomeSigns, outcomesInOrder } from '../words.ts';
import { classOf } from './card.ts';
import { html, type Markup } from './markup.ts';

const outcomeOf = {
  met: 'pass',
  broken: 'fail',
  warning: 'warning',
  inconclusive: 'inconclusive',
  'not judged': 'not applicable',
} as const satisfies Record<ReportedRequirement['status'], string>;

/**
 * Builds the table, what is broken first. Its explicit roles keep it a table for screen readers where a
 * narrow screen shows a list.
 */
export function requirementsTable({ requirements }: Report): Markup {
  const place = ({ status }: ReportedRequirement) => outcomesInOrder.indexOf(outcomeOf[status]);
  const rows = [...requirements].sort((a, b) => place(a) - place(b)).map(row);
  return html`<table class="requirements" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Clause</th><th role="columnheader" scope="col">Requirement</th><th role="columnheader" scope="col">Result</th><th role="columnheader" scope="col">Judged by</th></tr></thead><tbody role="rowgroup">${rows}</tbody></table>`;
}

function row({ id, clause, source, level, text, status, because, checks }: ReportedRequirement): Markup {
  const outcome = outcomeOf[status];
  const links = checks.map(({ check, outcome: result }) => {
    if (result === 'not run') return html`<span class="unasked">${check}</span>`;
    return html`<a href="#check-${check}"><span class="sign ${classOf(result)}" aria-hidden="true">${outcomeSigns[result]}</span> ${check}</a>`;
  });
  return html`<tr role="row" class="row ${classOf(outcome)}" id="requirement-${id}"><td role="cell" class="clause">${clause}</td><td role="cell"><p>${text}</p><p class="small">${level} · ${source} · ${id}</p></td><td role="cell"><span class="tag ${classOf(outcome)}"><span aria-hidden="true">${outcomeSigns[outcome]}</span> ${status}</span>${
    because !== undefined &&
    html`<p class="because">${status === 'met' ? '' : 'Not judged because: '}${because}</p>`
  }</td><td role="cell">${links.length > 0 ? links : html`<span class="none">none</span>`}</td></tr>`;
}
