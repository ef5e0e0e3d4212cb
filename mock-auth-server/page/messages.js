/** The page "Messages": shows the outbox of the authorization server as it fills, by long polling. */
import { languageFor, textIn } from './texts.js';

/** How long one poll waits for a message. */
const POLL_SECONDS = 50;
/** How long to wait before the next try when the server did not answer. */
const RETRY_INTERVAL_MS = 2_000;
/** The page keeps as many messages as the server. */
const MAX_MESSAGES = 1_000;

/** The key for copying, as keyboards have it. */
const COPY_KEY = /Mac|iP/.test(navigator.platform) ? '⌘C' : 'Ctrl+C';

const list = document.getElementById('messages');
const template = document.getElementById('message');
const filter = document.getElementById('filter');
const dot = document.getElementById('dot');
const state = document.getElementById('state');
const empty = document.getElementById('empty');
const announcement = document.getElementById('announcement');
const choice = document.getElementById('language');

const LANGUAGE_KEY = 'messages.language';
let language = languageFor(keptLanguage(), navigator.languages);
const say = (key, values) => textIn(language, key, { copyKey: COPY_KEY, ...values });

choice.addEventListener('change', () => {
  language = choice.value;
  keepLanguage();
  speak();
});
speak();

filter.value = new URLSearchParams(location.search).get('to') ?? '';
filter.addEventListener('input', () => {
  const url = new URL(location.href);
  if (filter.value === '') url.searchParams.delete('to');
  else url.searchParams.set('to', filter.value);
  history.replaceState(null, '', url);
  applyFilter();
});
list.addEventListener('click', (event) => {
  const button = event.target.closest('button.copy');
  if (button) void copy(button);
});
document.addEventListener('copy', copyNewest);
void follow();

/** Poll for ever. After a lost connection, load all messages again, because the server may have restarted. */
async function follow() {
  for (;;) {
    try {
      const first = await poll('/outbox');
      list.replaceChildren(...first.messages.map(toItem));
      applyFilter();
      setState('live');
      for (let { cursor } = first; ; ) {
        const next = await poll(`/outbox?wait=${POLL_SECONDS}&after=${cursor}`);
        cursor = next.cursor;
        if (next.messages.length > 0) arrived(next.messages);
      }
    } catch {
      setState('lost');
      await pause();
    }
  }
}

async function poll(path) {
  const response = await fetch(path, { cache: 'no-store' });
  if (!response.ok) throw new Error(`The outbox answered HTTP ${response.status}.`);
  return { messages: await response.json(), cursor: Number(response.headers.get('outbox-cursor')) };
}

function arrived(messages) {
  const items = messages.map(toItem);
  for (const item of items) item.classList.add('new');
  list.prepend(...items);
  while (list.childElementCount > MAX_MESSAGES) list.lastElementChild.remove();
  applyFilter();
  const shown = messages.filter((_message, index) => !items[index].hidden);
  if (shown.length > 0)
    announcement.textContent = say('arrived', { to: shown[0].to, code: [...shown[0].code].join(' ') });
}

function toItem({ to, text, code, at }) {
  const item = template.content.cloneNode(true).firstElementChild;
  item.dataset.to = to;
  const [name, domain] = to.split('@');
  const recipient = item.querySelector('.to');
  recipient.textContent = name;
  // A long address may break before its @.
  if (domain !== undefined) recipient.append(document.createElement('wbr'), `@${domain}`);
  item.querySelector('.text').textContent = text;
  item.querySelector('.code').textContent = code;
  item.querySelector('time').dateTime = at;
  item.querySelector('.copy').dataset.code = code;
  speakIn(item);
  return item;
}

/** Hides the messages to others. A phone may be typed with separators. */
function applyFilter() {
  const typed = filter.value.trim().toLowerCase();
  const wanted = /^[\d\s+\-().]+$/.test(typed) ? typed.replace(/\D/g, '') : typed;
  let shown = 0;
  for (const item of list.children) {
    item.hidden = !item.dataset.to.includes(wanted);
    if (!item.hidden) shown++;
  }
  empty.hidden = shown > 0;
  list.hidden = shown === 0;
  const filtered = wanted !== '';
  document.getElementById('empty-title').dataset.say = filtered ? 'noneTitle' : 'emptyTitle';
  document.getElementById('empty-text').dataset.say = filtered ? 'noneText' : 'emptyText';
  if (shown === 0) speakIn(empty);
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.code);
    tell(button, 'copied', 'toldCopied');
  } catch {
    // Browsers deny the clipboard to pages of other machines without TLS: the code is marked instead.
    getSelection().selectAllChildren(button.closest('.code-line').querySelector('.code'));
    tell(button, 'marked', 'toldMarked');
  }
}

/** Where nothing is marked, the key for copying takes the newest code that is shown. */
function copyNewest(event) {
  const button = list.querySelector('.message:not([hidden]) .copy');
  const isTyping = document.activeElement === filter;
  if (!button || isTyping || !getSelection().isCollapsed) return;
  event.clipboardData.setData('text/plain', button.dataset.code);
  event.preventDefault();
  tell(button, 'copied', 'toldCopied');
}

function tell(button, word, told) {
  for (const other of list.querySelectorAll('.copy')) label(other, other === button ? word : 'copy');
  announcement.textContent = say(told, { code: [...button.dataset.code].join(' ') });
}

function label(button, word) {
  button.dataset.word = word;
  button.textContent = say(word);
  button.setAttribute('aria-label', say(`${word}Code`, { code: button.dataset.code }));
}

function speak() {
  document.documentElement.lang = language;
  choice.value = language;
  speakIn(document);
}

function speakIn(part) {
  for (const element of part.querySelectorAll('[data-say]')) element.textContent = say(element.dataset.say);
  for (const element of part.querySelectorAll('[data-say-label]'))
    element.setAttribute('aria-label', say(element.dataset.sayLabel));
  for (const element of part.querySelectorAll('[data-say-placeholder]'))
    element.placeholder = say(element.dataset.sayPlaceholder);
  for (const time of part.querySelectorAll('time')) time.textContent = timeOf(time.dateTime);
  for (const button of part.querySelectorAll('.copy')) label(button, button.dataset.word);
}

function timeOf(at) {
  const twoDigits = { hour: '2-digit', minute: '2-digit', second: '2-digit' };
  return new Date(at).toLocaleString(language, { month: 'short', day: 'numeric', ...twoDigits });
}

/** The reader's settings may deny storage: then the choice lasts until the page is closed. */
function keptLanguage() {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}

function keepLanguage() {
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch {
    // Denied.
  }
}

function setState(name) {
  const { dataset } = state.parentElement;
  if (name === 'lost' && dataset.state !== 'lost') announcement.textContent = say('wasLost');
  dataset.state = name;
  state.dataset.say = name;
  state.textContent = say(name);
}

/** Wait for an animation of the dot. In a hidden page it does not run, so a hidden page stops trying. */
async function pause() {
  await dot.animate({ opacity: [1, 0.2, 1] }, { duration: RETRY_INTERVAL_MS }).finished;
}
