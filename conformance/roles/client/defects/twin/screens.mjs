/** What must not be on a screen: secrets, texts of programs, another record than the server's. */
import { around, onSeen, typing } from './parts.mjs';

const remembered = (alter) => (client) => {
  around(client, 'exchangeToken', async (right) => {
    client.lastToken = await right();
    return client.lastToken;
  });
  alter(client);
};

/** Adds something to each sentence on some screens. */
const adding = (what, ...screens) =>
  onSeen((seen, _action, client) =>
    screens.length === 0 || screens.includes(seen.sees)
      ? { ...seen, text: `${seen.text} ${what(client) ?? ''}` }
      : seen,
  );

/** Keeps the record of each screen, and may show it on the next one. */
const withKept = (change) =>
  onSeen((seen, action, client) => {
    const shown = change(seen, action, client.keptRecord);
    if (seen.patient) client.keptRecord = seen.patient;
    return shown;
  });

export const screens = {
  'form-shown-for-record': typing(
    onSeen((seen, _action, { typed }) =>
      seen.patient && typed ? { ...seen, text: `The record of ${typed.name}.`, patient: typed } : seen,
    ),
  ),
  'typed-names-over-record': typing(
    onSeen((seen, _action, { typed }) =>
      seen.patient && typed
        ? { ...seen, text: 'Your record.', patient: { ...seen.patient, name: typed.name, surname: typed.surname } }
        : seen,
    ),
  ),
  'first-record-shown-for-ever': withKept((seen, action, kept) =>
    action.do === 'readPatient' && seen.patient && kept ? { ...seen, text: 'Your record.', patient: kept } : seen,
  ),
  'record-not-asked-for-again': (client) => {
    let kept;
    around(client, 'readPatient', async (right, options) => {
      kept ??= await right(options);
      if (kept.sees === 'patient') return kept;
      const seen = kept;
      kept = undefined;
      return seen;
    });
  },
  'record-kept-at-refusal': withKept((seen, action, kept) =>
    action.do === 'readPatient' && seen.sees === 'form' && kept ? { ...seen, patient: kept } : seen,
  ),
  'record-of-person-before': withKept((seen, action, kept) =>
    action.do === 'enterCode' && kept ? { ...seen, patient: kept } : seen,
  ),
  'token-on-screen': adding(({ storage }) => storage.session?.token, 'form', 'error'),
  'signature-on-screen': adding(({ storage }) => Object.values(storage.signatures)[0], 'patient'),
  'exchange-token-on-screen': remembered(adding(({ lastToken }) => lastToken)),
  'number-beside-words': adding(() => '(error -33000)', 'error', 'form'),
  'reason-beside-words': adding(() => '(not_authorized)', 'form'),
  'reply-beside-words': adding(() => '{"jsonrpc":"2.0","id":"7"}', 'error'),
  'undefined-on-record': adding(() => 'Middle name: undefined', 'patient'),
  'birthdate-shown-a-day-before': onSeen((seen) => {
    if (!seen.patient) return seen;
    const birthdate = new Date(Date.parse(seen.patient.birthdate) - 3 * 3_600_000).toISOString();
    return { ...seen, patient: { ...seen.patient, birthdate } };
  }),
  'gender-shown-by-another-number': onSeen((seen) =>
    seen.patient ? { ...seen, patient: { ...seen.patient, gender: seen.patient.gender + 1 } } : seen,
  ),
  'gaps-filled-from-record-before': withKept((seen, _action, kept) => {
    if (!seen.patient || !kept) return seen;
    const gaps = Object.entries(seen.patient).filter(([, value]) => value === null);
    const filled = Object.fromEntries(gaps.map(([name]) => [name, kept[name]]));
    return { ...seen, patient: { ...seen.patient, ...filled } };
  }),
  'signature-among-record': onSeen((seen, _action, { storage }) =>
    seen.patient ? { ...seen, patient: { ...seen.patient, user_sign: Object.values(storage.signatures)[0] } } : seen,
  ),
  'exception-beside-words': adding(() => 'ConnectionResetError: [Errno 104] Connection reset by peer', 'error'),
  'page-of-gateway-shown': adding(() => '<html><body>Bad gateway</body></html>', 'error'),
};
