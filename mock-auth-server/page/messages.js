/** The page "Messages": shows the outbox of the authorization server as it fills, by long polling. */

/** How long one poll waits for a message. */
const POLL_SECONDS = 50;
/** How long to wait before the next try when the server did not answer. */
const RETRY_INTERVAL_MS = 2_000;
/** The page keeps as many messages as the server. */
const MAX_MESSAGES = 1_000;

const list = document.getElementById('messages');
const template = document.getElementById('message');
const filter = document.getElementById('filter');
const dot = document.getElementById('dot');
const state = document.getElementById('state');
const empty = document.getElementById('empty');
const announcement = document.getElementById('announcement');

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
void follow();

/** Poll for ever. After a lost connection, load all messages again, because the server may have restarted. */
async function follow() {
  for (;;) {
    try {
      const first = await poll('/outbox');
      list.replaceChildren(...first.messages.map(toItem));
      applyFilter();
      setState('live', 'Connected');
      for (let { cursor } = first; ; ) {
        const next = await poll(`/outbox?wait=${POLL_SECONDS}&after=${cursor}`);
        cursor = next.cursor;
        if (next.messages.length > 0) arrived(next.messages);
      }
    } catch {
      setState('lost', 'Not connected, trying again');
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
    announcement.textContent = `New message to ${shown[0].to}: the code is ${[...shown[0].code].join(' ')}.`;
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
  const time = item.querySelector('time');
  time.dateTime = at;
  time.textContent = new Date(at).toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const button = item.querySelector('.copy');
  button.dataset.code = code;
  button.setAttribute('aria-label', `Copy code ${code}`);
  return item;
}

/**
 * Hide the messages whose recipient does not contain the typed text. A phone may be typed with separators.
 */
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
  document.getElementById('empty-title').textContent = filtered ? 'No message to this recipient' : 'No messages yet';
  document.getElementById('empty-text').textContent = filtered
    ? 'Request a code for it in the client, or clear the filter above to see all messages.'
    : 'Enter a phone number or an e\u2011mail address in the client and ask for a code. It arrives here at once.';
}

async function copy(button) {
  const { code } = button.dataset;
  for (const other of list.querySelectorAll('.copy')) label(other, 'Copy');
  try {
    await navigator.clipboard.writeText(code);
    label(button, 'Copied');
    announcement.textContent = `Code ${[...code].join(' ')} copied.`;
  } catch {
    // Browsers deny the clipboard to pages of other machines without TLS. Then the code is marked for copying
    // by hand.
    getSelection().selectAllChildren(button.closest('.code-line').querySelector('.code'));
    label(button, 'Marked');
    announcement.textContent = 'The browser does not let this page copy. The code is marked.';
  }
}

function label(button, word) {
  button.textContent = word;
  button.setAttribute('aria-label', `${word} code ${button.dataset.code}`);
}

function setState(name, text) {
  const { dataset } = state.parentElement;
  if (name === 'lost' && dataset.state !== 'lost') announcement.textContent = 'The connection was lost.';
  dataset.state = name;
  state.textContent = text;
}

/** Wait for an animation of the dot. In a hidden page it does not run, so a hidden page stops trying. */
async function pause() {
  await dot.animate({ opacity: [1, 0.2, 1] }, { duration: RETRY_INTERVAL_MS }).finished;
}
