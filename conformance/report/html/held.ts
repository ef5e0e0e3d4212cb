/** The state of a moment in the page: what a message changed at the EHR server, and what it holds then. */
import type { HeldChange, HeldTable, Moment } from '../held.ts';
import { count } from '../words.ts';
import { html, type Markup } from './markup.ts';

const SINGULAR: Readonly<Record<HeldTable, string>> = {
  exchangeTokens: 'exchange token',
  sessions: 'session',
  links: 'link',
};
const TABLES = Object.keys(SINGULAR) as HeldTable[];

export function heldOf({ changes, held }: Moment, seq: number): Markup {
  const numbers = TABLES.map((table) => count(held.filter((row) => row.table === table).length, SINGULAR[table]));
  return html`<p class="held"><b>EHR server after ${seq}</b> ${changes.map(changeOf)}<span class="total">holds ${numbers.join(', ')}</span></p>`;
}

function changeOf({ how, row: { table, token, user } }: HeldChange): Markup {
  const what = token === undefined ? `${SINGULAR[table]} of ${user}` : `${SINGULAR[table]} ${token} of ${user}`;
  return how === 'added' ? html`<span class="added">+ ${what}</span> ` : html`<span class="removed">− ${what}</span> `;
}
