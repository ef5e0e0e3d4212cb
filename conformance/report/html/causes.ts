/** The causes in the page: a list before the cards, and the links between cause and effects on the cards. */
import { causeOf } from '../causes.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { html, type Markup } from './markup.ts';

/** What causes the failure of this check, or what it causes. */
export function causeFact({ check }: ReportedVerdict, { causes }: Report): Markup | false {
  const others = causes.find((cause) => cause.check === check)?.checks.filter((name) => name !== check) ?? [];
  if (others.length > 0)
    return html`<p class="cause">The cause of ${others.length === 1 ? 'one more' : `${others.length} more`}: ${links(others)}</p>`;
  const cause = causeOf(check, causes);
  if (!cause) return false;
  if (cause.check !== undefined) return html`<p class="cause">Caused by ${links([cause.check])}: ${cause.cause}</p>`;
  return html`<p class="cause">The same cause as ${links(cause.checks.filter((name) => name !== check))}</p>`;
}

/** Capitalizes the beginning of a sentence. */
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function links(checks: readonly string[]): Markup[] {
  return checks.map((check, index) => html`${index > 0 && ', '}<a href="#check-${check}"><code>${check}</code></a>`);
}

/** The causes shared by several checks, before the cards: these should be corrected first. */
export function causesOf({ causes }: Report): Markup | false {
  const shared = causes.filter(({ checks }) => checks.length > 1);
  if (shared.length === 0) return false;
  return html`<div class="causes"><h3>${causes.length === 1 ? 'One cause' : `${causes.length} causes`} of ${causes.reduce((sum, { checks }) => sum + checks.length, 0)} checks that are not green</h3><ol>${causes.map(
    ({ cause, checks }) => html`<li><p>${capital(cause)}</p><p class="of">${links(checks)}</p></li>`,
  )}</ol></div>`;
}
