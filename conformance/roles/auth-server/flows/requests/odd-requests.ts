import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { headerOf } from '../../../../engine/journal/headers.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { fromPage, withMembers } from '../../../../engine/wire/request-change.ts';
import { flow } from '../flow.ts';
import { fault, isDone, unclear } from '../step-values.ts';

const SIGN_IN = 'signs in for the foreign page';
const CONTROL = 'exchange token from the client';
const FOREIGN = 'exchange token from a foreign page';

const askedIn = (played: PlayedStep | undefined): ExchangeEntry | undefined =>
  played?.exchanges.find(({ link }) => link === 'client->auth');

/** Nothing was asked in the name of a foreign page, or the server was too busy to answer. */
const noneAnswered = (asked: readonly PlayedStep[]): Judgement =>
  asked.some((played) => headerOf(askedIn(played)?.request.headers, 'origin') !== undefined)
    ? unclear('no request from a foreign page was answered', ...asked)
    : { notApplicable: 'no request was sent in the name of a foreign page' };

function allowsCredentials({ request, response }: ExchangeEntry): boolean {
  return (
    headerOf(response?.headers, 'access-control-allow-origin') === headerOf(request.headers, 'origin') &&
    headerOf(response?.headers, 'access-control-allow-credentials')?.toLowerCase() === 'true'
  );
}

function allowsNoPage(steps: Steps): Judgement {
  const foreign = steps.own().filter(({ step }) => /^exchange token from a( foreign)? page/.test(step.label));
  const tried = foreign.flatMap((played) => askedIn(played) ?? []).filter(({ response }) => response);
  if (tried.length === 0 && steps.of(FOREIGN)) return noneAnswered(foreign);
  const [signIn, control] = [steps.of(SIGN_IN), steps.of(CONTROL)];
  const wrong = tried.find(allowsCredentials);
  const isSent = tried.some(({ request }) => headerOf(request.headers, 'cookie') !== undefined);
  const isSet = headerOf(askedIn(signIn)?.response?.headers, 'set-cookie') !== undefined;
  if (wrong && !isSent && !isSet)
    return { notApplicable: 'the session is no cookie, so the browser adds it to no request by itself' };
  if (wrong)
    return fault(
      'no Access-Control-Allow-Credentials for a page that is none of the clients',
      `the origin ${headerOf(wrong.request.headers, 'origin')} was allowed, with credentials, and the session is a cookie`,
      signIn,
      wrong,
    );
  if (control.result.kind === 'done') return undefined;
  return unclear('the same request from the client did not succeed', control);
}

const FOREIGN_ORIGIN = 'https://elsewhere.example';

/** Foreign origins that resemble those of a developer's machine. Careless comparisons take them for it. */
const likeOrigins = [
  'http://localhost.elsewhere.example',
  'http://127.0.0.1.elsewhere.example',
  'http://elsewhere-localhost',
] as const;

const originLike = (origin: (typeof likeOrigins)[number]) =>
  `exchange token from a page of ${origin}` as const;

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
      change: withMembers({ token, sessionToken: token, session: token, cred: { user: '', token } }),
      defect: 'the client sends a token of its own',
      code: chosenCode,
    });
    driver.observe(CHOSEN, { isKept: result.kind === 'done' && result.values.token === token });
    await driver.perform(tia, 'confirmOtp', 'signs in without a token', { code: chosenCode });
  },
  checks: {
    'session-token-drawn-by-server': {
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
    },
    'foreign-origin-not-allowed-cookies': {
      title: 'Where a cookie names the session, a page of a foreign origin is not allowed credentials',
      requirements: ['K-cookie-origins-listed'],
      judge: allowsNoPage,
      advice:
        'List the origins of your clients and allow no other: a page of anybody could use the session of whoever looks at it.',
    },
  },
});
