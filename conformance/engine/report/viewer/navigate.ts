/** Leads links of the page to what they name, also where it is hidden, and opens red cards on paper. */
import { fill, open } from './elements.ts';
import { showAll } from './find.ts';

/** Returns the id of the card in which the message with this id stands; undefined: it is no id of a message. */
export type CardOfMessage = (id: string) => string | undefined;

export function navigate(cardOfMessage: CardOfMessage): void {
  addEventListener('hashchange', () => goTo(location.hash, cardOfMessage));
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest('a:not(.arrow)');
    // An address that is shown already does not change.
    const href = link ? link.getAttribute('href') : undefined;
    if (href && href === location.hash) goTo(href, cardOfMessage);
  });
  // A toggle event does not bubble, so it is captured.
  const onToggle = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement && target.open) fill(target);
  };
  document.addEventListener('toggle', onToggle, true);
  goTo(location.hash, cardOfMessage);
}

function goTo(hash: string, cardOfMessage: CardOfMessage): void {
  const id = decodeURIComponent(hash.slice(1));
  const target = id === '' ? null : (document.getElementById(id) ?? elementOf(cardOfMessage(id)));
  if (!target) return;
  // A hidden target cannot be scrolled to.
  if (target.closest('[hidden]')) showAll();
  if (target instanceof HTMLDetailsElement) open(target);
  const arrow = [...target.querySelectorAll<HTMLElement>('a.arrow')].find(
    (each) => each.getAttribute('href') === hash,
  );
  const show = () => (arrow ? arrow.click() : target.scrollIntoView({ block: 'start' }));
  show();
  // The cards around it now get their true heights, which moves it.
  requestAnimationFrame(show);
}

function elementOf(id: string | undefined): HTMLElement | null {
  return id === undefined ? null : document.getElementById(id);
}

/** On paper what is red shows its text. What the reader opened shows its messages, too. */
export function preparePrint(): void {
  const printed = new Set<HTMLDetailsElement>();
  addEventListener('beforeprint', () => {
    const red = document.querySelectorAll<HTMLDetailsElement>(
      '.check-card:is(.fail, .inconclusive):not([open])',
    );
    for (const card of red) {
      printed.add(card);
      fill(card);
      card.classList.add('printed');
      card.open = true;
    }
  });
  addEventListener('afterprint', () => {
    for (const card of printed) {
      card.classList.remove('printed');
      card.open = false;
    }
    printed.clear();
  });
}
