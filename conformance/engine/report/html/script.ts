/**
 * The script of the HTML report. The page can be read without the script, which opens messages in the card of
 * a check and saves them as HAR.
 */

/**
 * The source text of the script. It is a text, since the page contains it and its security policy names its
 * hash.
 */
export const script = `
'use strict';
(() => {
  const reveal = (element) => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };
  const goTo = (hash) => {
    const target = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!target) return;
    // A hidden target cannot be scrolled to.
    const box = target.closest('.card, .row');
    if (box && box.getClientRects().length === 0) document.getElementById('show-all').checked = true;
    reveal(target);
    target.scrollIntoView({ block: 'start' });
  };

  // Each message is in the page once, with its scenario. A card gets copies when it is first opened.
  const fill = (card) => {
    for (const place of card.querySelectorAll('.scene > .opened[hidden]')) {
      for (const link of place.parentElement.querySelectorAll('a.message-arrow:not([aria-hidden])')) {
        const copy = document.getElementById(link.getAttribute('href').slice(1)).cloneNode(true);
        copy.dataset.seq = copy.id.slice(1);
        copy.removeAttribute('id');
        place.append(copy);
      }
      place.hidden = place.querySelector('.message') === null;
    }
  };

  const openHere = (scene, link) => {
    const copy = scene.querySelector('.opened [data-seq="' + link.getAttribute('href').slice(2) + '"]');
    copy.open = true;
    copy.querySelector('summary').focus({ preventScroll: true });
    copy.scrollIntoView({ block: 'nearest' });
  };

  const block = document.getElementById('har');
  const { har, entries } = block ? JSON.parse(block.textContent) : { entries: {} };
  const seqOf = (button) => {
    const message = button.closest('.message');
    return message.dataset.seq || message.id.slice(1);
  };
  for (const button of document.querySelectorAll('button.har')) button.hidden = !(seqOf(button) in entries);
  const save = (seq) => {
    const text = JSON.stringify({ log: { ...har.log, entries: [entries[seq]] } }, null, 2);
    const link = document.createElement('a');
    link.href = 'data:application/json;charset=utf-8,' + encodeURIComponent(text);
    link.download = 'message-' + seq + '.har';
    link.click();
  };

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link) {
      const scene = link.closest('.scene');
      if (scene && link.classList.contains('message-arrow')) {
        event.preventDefault();
        openHere(scene, link);
      } else if (link.getAttribute('href') === location.hash) {
        goTo(location.hash);
      }
      return;
    }
    const button = event.target.closest('button');
    if (button && button.matches('.har')) save(seqOf(button));
    const section = button && document.getElementById(button.dataset.open || button.dataset.close || '');
    if (!section) return;
    for (const card of section.querySelectorAll('details.card')) card.open = 'open' in button.dataset;
  });

  // A toggle event does not bubble, so it is captured.
  document.addEventListener('toggle', (event) => event.target.open && event.target.matches('.card') && fill(event.target), true);
  for (const card of document.querySelectorAll('.card[open]')) fill(card);
  addEventListener('hashchange', () => goTo(location.hash));
  for (const fold of document.querySelectorAll('.fold')) fold.hidden = false;
  goTo(location.hash);
})();
`;
