/** Builds the side of the page by which a reader finds something: a search, and the choice of an outcome. */
import { html, type Markup } from './markup.ts';

export type OutcomeChoice = { name: string; sign: string; label: string; number: number };

/**
 * Builds the search and the choice. The choice needs no script: `styles/base.ts` hides the other outcomes.
 * The search stays hidden until the script of the page shows it.
 */
export function filterOf(choices: readonly OutcomeChoice[]): Markup {
  const total = choices.reduce((sum, { number }) => sum + number, 0);
  const all = { name: 'all', sign: '', label: 'all', number: total };
  const buttons = [all, ...choices].map(
    ({ name, sign, label, number }) =>
      html`<label class="choice ${name}"><input type="radio" name="show" id="show-${name}" value="${name}"${name === 'all' && html` checked`}><span class="sign ${name}" aria-hidden="true">${sign}</span><span class="name">${label}</span><span class="number">${number}</span></label>`,
  );
  return html`<div role="search" aria-label="Filter"><div class="find" hidden><label for="search">Search</label><input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="names, words, §"><p class="found" role="status"></p></div><fieldset class="filter"><legend>Show</legend>${buttons}</fieldset></div>`;
}
