/**
 * The scenario `odd-requests`: requests that no honest client sends. They come as text/plain, from a page of
 * a foreign origin, or with a session token that the client made up.
 */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { headerOf } from '../../../../engine/journal/header-of.ts';
import { fromPage, withContentType, withMembers } from '../../../../engine/wire/request-change.ts';
import { check, flow } from '../flow.ts';
import { isDone, unclear } from '../step-values.ts';
import { askedIn, cookieOrigin, noneAnswered } from './cookie-origin.ts';

/** The origin of a page that is no client of the authorization server. */
const FOREIGN_ORIGIN = 'https://elsewhere.example';

/** Foreign origins that resemble those of a developer's machine. Careless comparisons take them for it. */
const likeOrigins = [
  'http://localhost.elsewhere.example',
  'http://127.0.0.1.elsewhere.example',
  'http://elsewhere-localhost',
] as const;

/** The label of the step with such an origin. */
const originLike = (origin: (typeof likeOrigins)[number]) =>
  `exchange token from a page of ${origin}` as const;

/** The steps that foreign pages try: the label, and the value of the Origin header. */
const pages = [
  ['exchange token from a foreign page', FOREIGN_ORIGIN],
  ['exchange token from a page without an origin', 'null'],
  ...likeOrigins.map((origin) => [originLike(origin), origin] as const),
] as const;

const PLAIN = 'signs in as text/plain';
const CHOSEN = 'signs in with a token that the client made up';

export const oddRequests = flow({
  id: 'odd-requests',
  title: 'Requests come as text/plain, from a foreign page, and with a token that the client made up',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 3,
  async play(driver) {
    const [una, ove, tia] = [await driver.user('Una'), await driver.user('Ove'), await driver.user('Tia')];
    const plainCode = await driver.code(una, 'a code for the sign-in as text/plain');
    await driver.perform(una, 'confirmOtp', PLAIN, {
      change: withContentType('text/plain'),
      defect: 'the Content-Type is text/plain',
      code: plainCode,
    });
    await driver.perform(una, 'confirmOtp', 'signs in as the adapter file says', { code: plainCode });

    await driver.signIn(ove, 'signs in for the foreign page');
    await driver.perform(ove, 'exchangeToken', 'exchange token from the client');
    for (const [label, origin] of pages)
      await driver.perform(ove, 'exchangeToken', label, {
        change: fromPage(origin),
        defect: 'it comes from a foreign page',
      });

    const chosenCode = await driver.code(tia, 'a code for the sign-in with a token');
    const token = driver.inventedToken();
    const result = await driver.perform(tia, 'confirmOtp', CHOSEN, {
      // Members under which a server may look for a token.
      change: withMembers({ token, sessionToken: token, session: token, cred: { user: '', token } }),
      defect: 'the client sends a token of its own',
      code: chosenCode,
    });
    driver.observe(CHOSEN, { isKept: result.kind === 'done' && result.values.token === token });
    await driver.perform(tia, 'confirmOtp', 'signs in without a token', { code: chosenCode });
  },
  checks: [
    check({
      id: 'text-plain-refused',
      title: 'A sign-in whose body comes as text/plain is refused',
      requirements: ['K-json-alone'],
      judge(steps) {
        const [plain, right] = [steps.of(PLAIN), steps.of('signs in as the adapter file says')];
        const sent = askedIn(plain);
        if (!sent) return unclear('the sign-in as text/plain did not reach the server', plain);
        if (headerOf(sent.request.headers, 'content-type') !== 'text/plain')
          return {
            notApplicable:
              'the sign-in has no body with a Content-Type of its own, so there is none to be changed',
          };
        if (isDone(plain))
          return { expected: 'HTTP 415, or another refusal', actual: 'it was carried out', shownBy: [plain] };
        if (isDone(right)) return undefined;
        return unclear(
          `the same sign-in as the adapter file says did not succeed (${describe(right.result)})`,
          right,
        );
      },
      advice:
        'Take a body only under the Content-Type that your clients send. A page of any origin may send text/plain without being asked first.',
    }),
    check({
      id: 'foreign-origin-not-allowed',
      title: 'A page of a foreign origin is not allowed to read answers with credentials',
      requirements: ['K-origins-listed'],
      judge: foreignAllowed,
      advice:
        'List the origins of your clients, compare them whole, and allow no other; never send back whatever Origin came.',
    }),
    check({
      id: 'session-token-drawn-by-server',
      title: 'A token that a client sends with the sign-in does not become the token of the session',
      requirements: ['K-token-drawn'],
      judge(steps) {
        const [chosen, plain] = [steps.of(CHOSEN), steps.of('signs in without a token')];
        if (steps.allObserved(CHOSEN).some(({ isKept }) => isKept === true))
          return {
            expected: 'a token that the server has drawn',
            actual: 'the token that the client sent along became the token of the session',
            shownBy: [chosen],
          };
        if (isDone(chosen) || isDone(plain)) return { right: [chosen] };
        return { unclear: 'neither with a token nor without one did the sign-in succeed', shownBy: [plain] };
      },
      advice:
        'Draw the token at every sign-in. Whoever can make somebody sign in with a token of their choice has the session afterwards.',
    }),
    cookieOrigin,
  ],
});

/** Whether the answer allows a page of this origin to read it with the user's credentials. */
function allows(exchange: ExchangeEntry | undefined, origin: string): boolean {
  const headers = exchange?.response?.headers;
  return (
    headerOf(headers, 'access-control-allow-origin') === origin &&
    headerOf(headers, 'access-control-allow-credentials')?.toLowerCase() === 'true'
  );
}

/** Judges whether a page of a foreign origin was allowed to read an answer with credentials. */
function foreignAllowed(steps: Steps): Judgement {
  // Ends the judgement if the step was not played.
  steps.of('exchange token from a foreign page');
  const asked = pages.flatMap(([label, origin]) =>
    steps.all(label).map((played) => ({ played, origin, exchange: askedIn(played) })),
  );
  const tried = asked.filter(
    ({ exchange, origin }) => exchange?.response && headerOf(exchange.request.headers, 'origin') === origin,
  );
  const control = steps.of('exchange token from the client');
  if (tried.length === 0) return noneAnswered(asked.map(({ played }) => played));
  const wrong = tried.find(({ exchange, origin }) => allows(exchange, origin));
  if (wrong)
    return {
      expected: 'no Access-Control-Allow-Origin for a page that is none of the clients',
      actual: `the origin ${wrong.origin} was allowed, with credentials`,
      shownBy: [wrong.played],
    };
  if (isDone(control)) return { right: tried.map(({ played }) => played) };
  return unclear(`the same request from the client did not succeed (${describe(control.result)})`, control);
}
