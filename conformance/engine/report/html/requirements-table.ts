/**
 * Builds the table of the HTML report that has each requirement with its status and the checks that judge it.
 */
import { addressOf, pathOf } from '#protocol/site.ts';
import type { Report, ReportedRequirement } from '../schema/schema.ts';
import { outcomeSigns, outcomesInOrder } from '../words.ts';
import { classOf } from './card.ts';
import { html, type Markup } from './markup.ts';
import { placeLinks, siteLink } from './site-links.ts';

/** The outcome whose colour and filter a row of each status has. */
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

/** The row of one requirement. */
function row({ id, clause, source, level, text, status, because, checks }: ReportedRequirement): Markup {
  const outcome = outcomeOf[status];
  const links = checks.map(({ check, outcome: result }) => {
    if (result === 'not run')
      return html`<span class="unasked">${siteLink(addressOf(pathOf.check(check)), check)}</span>`;
    return html`<a href="#check-${check}"><span class="sign ${classOf(result)}" aria-hidden="true">${outcomeSigns[result]}</span> ${check}</a>`;
  });
  return html`<tr role="row" class="row ${classOf(outcome)}" id="requirement-${id}"><td role="cell" class="clause">${placeLinks(clause)}</td><td role="cell"><p>${text}</p><p class="small">${level} · ${source} · ${siteLink(addressOf(pathOf.requirement(id)), id)}</p></td><td role="cell"><span class="tag ${classOf(outcome)}"><span aria-hidden="true">${outcomeSigns[outcome]}</span> ${status}</span>${
    because !== undefined &&
    html`<p class="because">${status === 'met' ? '' : 'Not judged because: '}${because}</p>`
  }</td><td role="cell">${links.length > 0 ? links : html`<span class="none">none</span>`}</td></tr>`;
}
