/** The state of a moment in the page: what a message changed at a server, and what it holds then. */
import type { HeldChange, HeldRow, HeldTable, Moment } from '../held.ts';
import { count, laneNames } from '../words.ts';
import { html, type Markup } from './markup.ts';

const SINGULAR: Readonly<Record<HeldTable, string>> = {
  exchangeTokens: 'exchange token',
  sessions: 'session',
  links: 'link',
  correspondence: 'signature',
};
const TABLES = {
  ehr: ['exchangeTokens', 'sessions', 'links'],
  auth: ['sessions', 'correspondence'],
} as const satisfies Readonly<Record<HeldRow['party'], readonly HeldTable[]>>;

export function heldOf({ changes, totals }: Moment, seq: number): Markup {
  // A message goes to one server.
  const party = changes[0]?.row.party ?? 'ehr';
  const numbers = TABLES[party].map((table) => count(totals[`${party} ${table}`] ?? 0, SINGULAR[table]));
  return html`<p class="held"><b>${laneNames[party]} after ${seq}</b> ${changes.map(changeOf)}<span class="total">holds ${numbers.join(', ')}</span></p>`;
}

function changeOf({ how, row: { table, token, user } }: HeldChange): Markup {
  const what =
    token === undefined ? `${SINGULAR[table]} of ${user}` : `${SINGULAR[table]} ${token} of ${user}`;
  return how === 'added'
    ? html`<span class="added">+ ${what}</span> `
    : html`<span class="removed">− ${what}</span> `;
}
