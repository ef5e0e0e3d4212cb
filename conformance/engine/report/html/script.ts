/**
 * The script of the HTML report. It makes what a card shows when the card is opened, searches, opens messages
 * in their diagram. Without it the page has its texts and the choice of an outcome.
 */

/**
 * The source text of the script. It is a text, since the page contains it and its security policy names its
 * hash. All HTML that it puts into the page was made, and escaped, by the kit.
 */
export const script = `
'use strict';
(() => {
  const all = (selector, place = document) => [...place.querySelectorAll(selector)];

  const block = document.getElementById('packed');
  const unpack = async () => {
    const bytes = Uint8Array.from(atob(block.textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return JSON.parse(await new Response(stream).text());
  };
  // Stays undefined in a browser that cannot unpack it.
  let data;
  const keep = (unpackedData) => { data = unpackedData; };
  const unpacked = block ? unpack().then(keep).catch(() => undefined) : Promise.resolve();

  const elementOf = (text) => {
    const template = document.createElement('template');
    template.innerHTML = text;
    return template.content.firstElementChild;
  };
  const messageOf = (seq) => {
    const message = elementOf(data.messages[seq].html);
    message.removeAttribute('id');
    message.dataset.seq = seq;
    return message;
  };

  const filled = new WeakMap();
  const fill = (place) => {
    if (!filled.has(place)) filled.set(place, make(place));
    return filled.get(place);
  };
  const make = async (place) => {
    const inside = place.querySelector(':scope > .inside');
    await unpacked;
    if (!data) return;
    inside.innerHTML = data.parts[place.dataset.packed];
    await Promise.all(all('details[data-packed][open]', inside).map(fill));
  };

  // Opens a message in the diagram, below the step that it belongs to.
  const openHere = (scene, seq) => {
    let message = scene.querySelector('[data-seq="' + seq + '"]');
    if (!message) {
      message = messageOf(seq);
      scene.querySelector("a[href='#m" + seq + "']").closest('.group').append(message);
    }
    message.open = true;
    message.querySelector('summary').focus({ preventScroll: true });
    message.scrollIntoView({ block: 'nearest' });
  };

  const reveal = (element) => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };
  const goTo = async (hash) => {
    const id = decodeURIComponent(hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return goToMessage(id.slice(1));
    // A hidden target cannot be scrolled to.
    const box = target.closest('.card, .row');
    if (box && box.getClientRects().length === 0) {
      document.getElementById('show-all').checked = true;
      field.value = '';
      search();
    }
    reveal(target);
    if (target.dataset.packed) await fill(target);
    target.scrollIntoView({ block: 'start' });
  };
  const goToMessage = async (seq) => {
    await unpacked;
    if (!data || !data.messages[seq]) return;
    const card = document.getElementById('scenario-' + data.messages[seq].scenario);
    card.open = true;
    await fill(card);
    if (card.querySelector("a[href='#m" + seq + "']")) openHere(card.querySelector('.scene'), seq);
    else card.scrollIntoView({ block: 'start' });
  };

  const field = document.getElementById('search');
  const found = document.querySelector('.found');
  const items = all('.card, .row, .causes li');
  const KINDS = { check: '#checks > .outcome > .card', flow: '.file-group .card', requirement: '.row', scenario: '.scenario' };
  const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const plain = (markup) => markup.replace(/<[^>]*>/g, ' ').replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]);
  const texts = new Map();
  const textOf = (item) => {
    if (texts.has(item)) return texts.get(item);
    const more = (data && data.parts[item.dataset.packed]) || '';
    const text = (item.textContent + plain(more)).toLowerCase();
    if (data || !block) texts.set(item, text);
    return text;
  };
  // Reads the texts beforehand, some at a time: a search must not wait for them, nor the page stand still.
  const read = (from) => {
    items.slice(from, from + 40).forEach(textOf);
    if (from < items.length) setTimeout(read, 0, from + 40);
  };
  const search = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const item of items) item.hidden = !words.every((word) => textOf(item).includes(word));
    for (const group of all('.causes, .file-group'))
      group.hidden = words.length > 0 && !group.querySelector('li:not([hidden]), .card:not([hidden])');
    const outcome = document.querySelector('input[name="show"]:checked').value;
    const isShown = (item) => !item.hidden && (outcome === 'all' || item.matches('.' + outcome));
    const said = Object.entries(KINDS).flatMap(([name, selector]) => {
      const number = all(selector).filter(isShown).length;
      return number === 0 ? [] : number + ' ' + name + (number === 1 ? '' : 's');
    });
    found.textContent = words.length === 0 ? '' : said.join(', ') || 'Nothing found.';
  };
  if (field) {
    document.querySelector('.find').hidden = false;
    document.querySelector('[role="search"]').addEventListener('input', search);
    unpacked.then(() => read(0));
  }
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || !field || event.target.matches('input')) return;
    event.preventDefault();
    field.focus();
  });

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link) {
      const href = link.getAttribute('href');
      const scene = link.closest('.scene');
      if (scene && link.matches('.message-arrow')) {
        event.preventDefault();
        openHere(scene, href.slice(2));
      } else if (href === location.hash) {
        goTo(href);
      }
      return;
    }
    const button = event.target.closest('button');
    const section = button && document.getElementById(button.dataset.open || button.dataset.close || '');
    if (!section) return;
    for (const card of all('details.card', section)) card.open = 'open' in button.dataset;
  });

  // On paper what is red shows its text. What the reader opened shows its messages, too.
  const printed = new Set();
  addEventListener('beforeprint', () => {
    for (const card of all('.card:is(.fail, .inconclusive):not(.scenario, [open])')) {
      printed.add(card);
      card.open = true;
    }
  });
  addEventListener('afterprint', () => {
    for (const card of printed) card.open = false;
    printed.clear();
  });

  // A toggle event does not bubble, so it is captured.
  const toggled = ({ target }) => target.open && target.dataset.packed && !printed.has(target) && fill(target);
  document.addEventListener('toggle', toggled, true);
  for (const place of all('details[data-packed][open]')) fill(place);
  addEventListener('hashchange', () => goTo(location.hash));
  for (const fold of all('.fold')) fold.hidden = false;
  goTo(location.hash);
})();
`;
