/**
 * Faults of the page in plain JavaScript, which it loads beside its own modules. The member `defect` of its
 * address names one, or a harmless difference.
 */
import { client } from './page.mjs';

/** The page waits eight times as long as it does by itself: its patience is no fault to look for. */
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => timeout(ms * 8);

/** Does something after each action of the client. */
const afterEach = (more) => {
  const right = client.act.bind(client);
  client.act = async (action) => {
    const seen = await right(action);
    more(seen, action);
    return seen;
  };
};

const defects = {
  'surname-in-title': () =>
    afterEach(({ patient }) => {
      if (patient) document.title = patient.surname;
    }),
  'phone-in-field': () => {
    let phone;
    afterEach(({ sees, patient }) => {
      phone = patient?.phones[0] ?? phone;
      if (sees === 'signedOut')
        setTimeout(() => Object.assign(document.forms[0].phone, { value: phone }), 10);
    });
  },
  // biome-ignore lint/suspicious/noConsole: the fault is that it writes to the console
  'storage-in-console': () => afterEach(() => console.log(JSON.stringify(client.storage))),
  'written-late': () =>
    document.addEventListener('click', () => {
      const record = document.querySelector('dl').textContent;
      if (record) setTimeout(() => Object.assign(localStorage, { left: record }), 1_200);
    }),
  'markup-run': () => {
    const list = document.querySelector('dl');
    const run = () => {
      for (const each of list.querySelectorAll('dd'))
        if (each.children.length === 0 && each.textContent.includes('<')) each.innerHTML = each.textContent;
    };
    new MutationObserver(run).observe(list, { childList: true, subtree: true });
    run();
  },
  'token-in-header': () => {
    const right = window.fetch;
    window.fetch = (url, { headers, ...rest }) =>
      right(url, {
        ...rest,
        headers: { ...headers, authorization: `Bearer ${client.storage.session?.token}` },
      });
  },
  // Each answer is shown after two pauses.
  pauses: () => {
    const right = client.act.bind(client);
    const pause = () => new Promise((resolve) => setTimeout(resolve, 250));
    client.act = async (action) => {
      const seen = await right(action);
      await pause();
      await pause();
      return seen;
    };
  },
};

defects[new URLSearchParams(location.search).get('defect')]?.();
