/**
 * Links of the HTML report to the site of the project. The report itself loads nothing: a link is followed by
 * a click alone, in a page of its own, and does not tell where the reader came from.
 */
import { placesOf } from '#protocol/site.ts';
import { type Content, html, type Markup } from './markup.ts';

/** Links a text to an address of the site. */
export function siteLink(address: string | undefined, text: Content): Content {
  if (address === undefined) return text;
  return html`<a class="site" href="${address}" target="_blank" rel="noreferrer">${text}</a>`;
}

/** The places of a clause, each as a link where it has a page. */
export function placeLinks(clause: string): Markup[] {
  return placesOf(clause).map(
    ({ text, address }, index) => html`${index > 0 && ', '}${siteLink(address, text)}`,
  );
}
