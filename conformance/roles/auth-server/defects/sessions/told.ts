/** Defects in what answers tell clients, and in what the output has. */
import { digest } from '#protocol/wire/hashes/digest.ts';
import { saidIn } from '../calls/outgoing.ts';
import { defect } from '../defect.ts';
import {
  ANY,
  after,
  around,
  CONFIRM,
  codesSent,
  EXCHANGE,
  freshCode,
  membersOf,
  messagesIn,
  openedFor,
  REPORT,
  REQUEST,
  refused,
  tells,
  tellsInRefusal,
  withParams,
  wraps,
} from '../operators.ts';

/** Adds what `what` makes of the phone's last session and signature to the answer to a request for a code. */
const tellsAtRequest = (what: (session: { token: string }, sign: unknown) => object) =>
  tells(REQUEST, ({ seen, params }) => {
    const opened = openedFor(seen, params.phone);
    const last = opened.at(-1);
    const reports = seen.done(REPORT).filter(({ cred }) => opened.some(({ token }) => token === cred.token));
    return last && what(last, reports.at(-1)?.params.user_sign);
  });

export const toldDefects = [
  defect('no-secrets-in-output', 'messages-logged', {
    title: 'It logs the text of each message, with the code',
    ...wraps(messagesIn, 'add', (add, { print }, ...message) => {
      print(`sent: ${message[1]}`);
      return add(...message);
    }),
  }),
  defect('no-secrets-in-output', 'password-logged-at-start', {
    title: 'It logs its settings when it starts, with the internal password',
    parts: ({ print, password }) => print(`settings: port=8080 password=${password}`),
  }),
  defect('foreign-origin-not-allowed-cookies', 'cookie-for-any-origin', {
    title: 'A sign-in sets a cookie, and every Origin is allowed credentials',
    http: (listener) => (request, response) => {
      response.setHeader('set-cookie', 'session=of-this-browser; HttpOnly');
      if (request.headers.origin !== undefined) {
        response.setHeader('access-control-allow-origin', request.headers.origin);
        response.setHeader('access-control-allow-credentials', 'true');
      }
      listener(request, response);
    },
  }),
  defect('nothing-done-by-get', 'get-carried-out', {
    title: 'A GET is carried out as a POST',
    http: (listener) => async (request, response) => {
      const fields = [...new URL(request.url ?? '', 'http://mock').searchParams];
      if (request.method !== 'GET' || !fields.some(([name]) => name === 'method'))
        return listener(request, response);
      const members = fields.map(([name, text]) => [name, text.startsWith('{') ? JSON.parse(text) : text]);
      const reply = await fetch(`http://${request.headers.host}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(members)),
      });
      response.setHeader('content-type', 'application/json').end(await reply.text());
    },
  }),
  defect('request-tells-nothing', 'session-told-at-request', {
    title: 'The answer to the request of a code has a session of that phone',
    ...tellsAtRequest(({ token }) => ({ session: token })),
  }),
  defect('request-tells-nothing', 'sign-told-at-request', {
    title: 'The answer to the request of a code has the user_sign of that phone',
    ...tellsAtRequest((_session, sign) => ({ profile: { sign } })),
  }),
  defect('internal-secrets-not-to-client', 'password-in-errors', {
    title: 'Errors carry the settings with the internal password',
    ...tellsInRefusal(ANY, ({ parts }) => ({ settings: parts.config })),
  }),
  defect('internal-secrets-not-to-client', 'digest-told', {
    title: 'The exchange token comes with the digest of its save',
    ...tells(EXCHANGE, ({ parts, result }) => ({
      check: digest(parts.password, String(result.exchangeToken)),
    })),
  }),
  defect('others-secrets-not-to-client', 'sign-of-last-link-told', {
    title: 'A sign-in is answered with the signature that was reported last',
    ...tells(CONFIRM, ({ seen }) => ({ user_sign: seen.done(REPORT).at(-1)?.params.user_sign })),
  }),
  defect('ehr-error-not-passed-on', 'ehr-error-told', {
    title: 'The client is told what the EHR server said',
    fetch: (send, seen) => async (input, init) => {
      const response = await send(input, init);
      seen.notes<string>('said').set('', await saidIn(response));
      return response;
    },
    ...after(refused(ANY), ({ seen, reply }) => {
      const error = membersOf(reply.error);
      const said = seen.notes<string>('said').get('') ?? '';
      return { ...reply, error: { ...error, message: `${error.message} ${said}` } };
    }),
  }),
  defect('doubled-members-not-confused', 'doubled-phone-confused', {
    title: 'Of two phones in a confirmation the first is compared and the last signed in',
    ...around(CONFIRM, ({ text, parts, params, call, next }) => {
      const [first, last] = [...text.matchAll(/"phone":"([^"]*)"/g)].map(([, phone]) => phone as string);
      const isConfused = last !== undefined && codesSent(parts, first)[0] === params.code;
      return isConfused ? next(withParams(call, { phone: last, code: freshCode(parts, last) })) : next();
    }),
  }),
];
