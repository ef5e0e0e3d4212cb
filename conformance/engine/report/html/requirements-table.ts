/**
 * Builds the table of the HTML report that has each requirement with its status and the checks that judge it.
 */
import { addressOf } from '#protocol/site.ts';
import type { Report, ReportedRequirement } from '../schema/schema.ts';
import { outcomeSigns } from '../words.ts';
import { classOf } from './card.ts';
import { html, type Markup } from './markup.ts';
import { placeLinks, siteLink } from './site-links.ts';

/** The outcome whose colour and filter a row of each status has. */
const outcomeOf = {
  met: 'pass',
  broken: 'fail',
  warning: 'warning',
  differs: 'differs',
  inconclusive: 'inconclusive',
  'not judged': 'not applicable',
} as const satisfies Record<ReportedRequirement['status'], string>;

/**
 * Builds the table. Its explicit roles keep it a table for screen readers where a narrow screen shows a list.
 */
export function requirementsTable(report: Report): Markup {
  return html`<table class="requirements" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Clause</th><th role="columnheader" scope="col">Requirement</th><th role="columnheader" scope="col">Result</th><th role="columnheader" scope="col">Judged by</th></tr></thead><tbody role="rowgroup">${report.requirements.map(row)}</tbody></table>`;
}

/** The row of one requirement. */
function row({ id, clause, source, level, text, status, because, checks }: ReportedRequirement): Markup {
  const outcome = outcomeOf[status];
  const links = checks.map(({ check, outcome: result }) => {
    if (result === 'not run')
      return html`<li><span class="unasked">${siteLink(addressOf.check(check), check)}</span></li>`;
    return html`<li><a href="#check-${check}"><span class="sign ${classOf(result)}" aria-hidden="true">${outcomeSigns[result]}</span> ${check}</a></li>`;
  });
  return html`<tr role="row" class="row ${classOf(outcome)}" id="requirement-${id}"><td role="cell" class="clause">${placeLinks(clause)}</td><td role="cell"><p>${text}</p><p class="small"><span>${level}</span> <span>${source}</span> ${siteLink(addressOf.requirement(id), html`<code>${id}</code>`)}</p></td><td role="cell"><span class="tag ${classOf(outcome)}"><span aria-hidden="true">${outcomeSigns[outcome]}</span> ${status}</span>${
    because !== undefined &&
    html`<p class="because">${status === 'met' ? '' : 'Not judged because: '}${because}</p>`
  }</td><td role="cell">${links.length > 0 ? html`<ul>${links}</ul>` : html`<span class="none">none</span>`}</td></tr>`;
}
