/** A page around the client in plain JavaScript: fields and buttons become actions, answers become texts. */
import { Client } from './flow.mjs';

const HEADINGS = {
  code: 'Enter the code',
  form: 'Tell us who you are',
  patient: 'Your record',
  signedOut: 'Sign in',
  error: 'Something is the matter',
};
/** What each screen shows: forms by their actions, and `nav`, the buttons of a person who is signed in. */
const SHOWN = {
  code: ['enterCode', 'signIn'],
  form: ['fillForm', 'nav'],
  patient: ['nav'],
  signedOut: ['signIn'],
  error: ['signIn', 'nav'],
};

const given = new URLSearchParams(location.search);
export const client = new Client({
  auth: given.get('auth'),
  ehr: given.get('ehr'),
  'api-version': '1.0-alpha',
  storage: 'plain-page',
});
const find = (selector) => document.querySelector(selector);
let busy = false;

/** Shows the answer of the client. */
function show({ sees, text, patient }) {
  find('h1').textContent = HEADINGS[sees];
  find('[role=alert]').textContent = sees === 'patient' ? '' : text;
  for (const form of document.forms) {
    form.hidden = !SHOWN[sees].includes(form.dataset.do);
    if (form.hidden) form.reset();
  }
  find('nav').hidden = !SHOWN[sees].includes('nav');
  find('dl').replaceChildren(...(patient ? rowsOf(patient) : []));
}

/** A term and its value for each member of a record that is a text or a number. */
function rowsOf(patient) {
  return Object.entries(patient).flatMap(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const [term, text] = [document.createElement('dt'), document.createElement('dd')];
    Object.assign(term, { textContent: name });
    Object.assign(text, { textContent: String(value) });
    return [term, text];
  });
}

/** Lets the client act, unless an action is under way, and shows its answer. */
async function act(action) {
  if (busy) return;
  busy = true;
  // A person may reload the page before the answer comes. The link that the form makes is reported then.
  if (action.do === 'fillForm' && client.storage.session) client.storage.session.isUnreported = true;
  client.save();
  const answer = await client.act(action);
  client.save();
  busy = false;
  show(answer);
}

/** The action of a form with what was typed. */
function typedIn(form) {
  const { gender, ...values } = Object.fromEntries(new FormData(form));
  if (form.dataset.do !== 'fillForm') return { do: form.dataset.do, ...values };
  return { do: 'fillForm', values: { ...values, ...(gender && { gender: Number(gender) }) } };
}

document.addEventListener('submit', (event) => {
  event.preventDefault();
  void act(typedIn(event.target));
});
for (const button of document.querySelectorAll('button[data-do]'))
  button.addEventListener('click', () => void act({ do: button.dataset.do }));

await act({ do: 'restart' });
