import { fromPage, withMembers } from '../../../../engine/wire/request-change.ts';
import { check, flow } from '../flow.ts';
import { fault, isDone, unclear } from '../step-values.ts';
import { cookieOrigin } from './cookie-origin.ts';

/** The origin of a page that is no client of the authorization server. */
const FOREIGN_ORIGIN = 'https://elsewhere.example';

/** Foreign origins that resemble those of a developer's machine. Careless comparisons take them for it. */
const likeOrigins = [
  'http://localhost.elsewhere.example',
  'http://127.0.0.1.elsewhere.example',
  'http://elsewhere-localhost',
] as const;

const originLike = (origin: (typeof likeOrigins)[number]) =>
  `exchange token from a page of ${origin}` as const;

/** The steps that foreign pages try: the label, and the value of the Origin header. */
const pages = [
  ['exchange token from a foreign page', FOREIGN_ORIGIN],
  ['exchange token from a page without an origin', 'null'],
  ...likeOrigins.map((origin) => [originLike(origin), origin] as const),
] as const;

const CHOSEN = 'signs in with a token that the client made up';

export const oddRequests = flow({
  id: 'odd-requests',
  title: 'Requests come from a foreign page, and with a token that the client made up',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  async play(driver) {
    const [ove, tia] = [await driver.user('Ove'), await driver.user('Tia')];
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
      id: 'session-token-drawn-by-server',
      title: 'A token that a client sends with the sign-in does not become the token of the session',
      requirements: ['K-token-drawn'],
      judge(steps) {
        const [chosen, plain] = [steps.of(CHOSEN), steps.of('signs in without a token')];
        if (steps.allObserved(CHOSEN).some(({ isKept }) => isKept === true))
          return fault(
            'a token that the server has drawn',
            'the token that the client sent along became the token of the session',
            chosen,
          );
        if (isDone(chosen) || isDone(plain)) return { right: [chosen] };
        return unclear('neither with a token nor without one did the sign-in succeed', plain);
      },
      advice:
        'Draw the token at every sign-in. Whoever can make somebody sign in with a token of their choice has the session afterwards.',
    }),
    cookieOrigin,
  ],
});
