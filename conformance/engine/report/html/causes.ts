/** The causes in the page: a list before the cards, and the links between cause and effects on the cards. */
import { causeOf } from '../causes/causes.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { count } from '../words.ts';
import { html, type Markup } from './markup.ts';

/** What causes the failure of this check, or what it causes. */
export function causeFact({ check }: ReportedVerdict, { causes }: Report): Markup | false {
  const others = causes.find((cause) => cause.check === check)?.checks.filter((name) => name !== check) ?? [];
  if (others.length > 0)
    return html`<p class="cause">The cause of ${others.length === 1 ? 'one more' : `${others.length} more`}: ${links(others)}</p>`;
  const cause = causeOf(check, causes);
  if (!cause) return false;
  if (cause.check !== undefined)
    return html`<p class="cause">Caused by ${links([cause.check])}: ${cause.cause}</p>`;
  return html`<p class="cause">The same cause as ${links(cause.checks.filter((name) => name !== check))}</p>`;
}

/** Capitalizes the beginning of a sentence. */
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function links(checks: readonly string[]): Markup[] {
  return checks.map(
    (check, index) => html`${index > 0 && ', '}<a href="#check-${check}"><code>${check}</code></a>`,
  );
}

/** All causes, before the cards, each in at most three lines: what is wrong, what to do, where it shows. */
export function causesOf({ causes }: Report): Markup | false {
  if (causes.length === 0) return false;
  const checks = causes.reduce((sum, cause) => sum + cause.checks.length, 0);
  const title = `${count(causes.length, 'cause')} of ${checks} checks that ${checks === 1 ? 'is' : 'are'} not green`;
  return html`<div class="causes"><h3>${title}</h3><ol>${causes.map(
    (cause) =>
      html`<li><p class="what">${capital(cause.cause)}</p>${
        cause.advice !== undefined && html`<p class="to-do"><b>To do:</b> ${cause.advice}</p>`
      }${shownIn(cause.checks)}</li>`,
  )}</ol></div>`;
}

/** The checks of a cause: the first at once, the others when they are asked for. */
function shownIn(checks: readonly string[]): Markup {
  const [first = '', ...others] = checks;
  if (others.length === 0) return html`<p class="of">Shown by ${links([first])}</p>`;
  return html`<details class="of"><summary>Shown by ${links([first])} and ${count(others.length, 'more check')}</summary>${links(others)}</details>`;
}
