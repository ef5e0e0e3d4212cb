/** Requests of a foreign page, requests with a token that the client made up, and malformed ones. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { headerOf } from '../../../../engine/journal/headers.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { fromPage, NO_UTF8, withBody, withMembers } from '../../../../engine/wire/request-change.ts';
import type { Driver } from '../../people/driver.ts';
import { MALFORMED_CODES, oddCodes } from '../codes/odd-codes.ts';
import { REQUESTS_FOR_BOTH, severalPhones } from '../codes/several-phones.ts';
import { flow } from '../flow.ts';
import { askedBy, controlDone, isDone, unclear } from '../step-values.ts';

const SIGN_IN = 'signs in for the foreign page';
const CONTROL = 'exchange token from the client';
const FOREIGN = 'exchange token from a foreign page';

const askedIn = (played: PlayedStep | undefined): ExchangeEntry | undefined => played && askedBy(played);

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
  const foreign = steps.own().filter(({ step }) => pages.some(([label]) => label === step.label));
  const tried = foreign.flatMap((played) => askedIn(played) ?? []).filter(({ response }) => response);
  // `of` leaves the check unjudged where that step was not played.
  if (tried.length === 0) return noneAnswered(foreign.length > 0 ? foreign : [steps.of(FOREIGN)]);
  const [signIn, control] = [steps.of(SIGN_IN), steps.of(CONTROL)];
  const wrong = tried.find(allowsCredentials);
  const isSent = tried.some(({ request }) => headerOf(request.headers, 'cookie') !== undefined);
  const isSet = headerOf(askedIn(signIn)?.response?.headers, 'set-cookie') !== undefined;
  if (wrong && !isSent && !isSet)
    return { notApplicable: 'the session is no cookie, so the browser adds it to no request by itself' };
  if (wrong)
    return {
      expected: 'no Access-Control-Allow-Credentials for a page that is none of the clients',
      actual: `the origin ${headerOf(wrong.request.headers, 'origin')} was allowed, with credentials, and the session is a cookie`,
      shownBy: [signIn, wrong],
    };
  if (control.result.kind === 'done') return undefined;
  return unclear('the same request from the client did not succeed', control);
}

/** Foreign origins that resemble those of a developer's machine. Careless comparisons take them for it. */
const likeOrigins = [
  'http://localhost.elsewhere.example',
  'http://127.0.0.1.elsewhere.example',
  'http://elsewhere-localhost',
] as const;

const pages = [
  [FOREIGN, 'https://elsewhere.example'],
  ['exchange token from a page without an origin', 'null'],
  ...likeOrigins.map((origin) => [`exchange token from a page of ${origin}`, origin] as const),
] as const;

const CHOSEN = 'signs in with a token that the client made up';

export const oddRequests = flow({
  id: 'odd-requests',
  title: 'Requests come from a foreign page, and with a token that the client made up',
  people: 2,
  async play(driver) {
    const [ove, tia] = [await driver.user('Ove'), await driver.user('Tia')];
    await driver.signIn(ove, SIGN_IN);
    await driver.perform(ove, 'exchangeToken', CONTROL);
    const defect = 'it comes from a foreign page';
    for (const [label, origin] of pages)
      await driver.perform(ove, 'exchangeToken', label, { change: fromPage(origin), defect });

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
          return {
            expected: 'a token that the server has drawn',
            actual: 'the token that the client sent along became the token of the session',
            shownBy: [chosen],
          };
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

/** In JSON the first of two `\u` escapes of one character, in a form a byte (`%ff`) that is no UTF-8. */
const HALF = 'with half a character';

/** The name of a body with a byte that is no UTF-8, in its last value. */
const BYTE = 'with a byte that is no UTF-8';

/** The changes of a request's body by name. A body that begins with `{` is JSON, another one a form. */
const BODIES = {
  'cut off': (body: string) => body.slice(0, CUT_CHARS),
  'without anything in it': (body: string) => (body.startsWith('{') ? '{}' : ''),
  [HALF]: (body: string) => (body.startsWith('{') ? body.replace(/"(?=[^"]*$)/, '\\ud800"') : `${body}%ff`),
  [BYTE]: (body: string) =>
    body.startsWith('{') ? body.replace(/"(?=[^"]*$)/, `${NO_UTF8}"`) : `${body}${NO_UTF8}`,
} as const;

/** A body that is cut off ends within the first name of JSON, or the first value of a form. */
const CUT_CHARS = 8;

type Body = keyof typeof BODIES;
type Asked = 'requestOtp' | 'confirmOtp';
const bodyNames = Object.keys(BODIES) as Body[];
const ASKED: Record<Asked, string> = { requestOtp: 'a request for a code', confirmOtp: 'a confirmation' };
const askedNames = Object.keys(ASKED) as Asked[];

/**
 * A server may ignore half a character in a phone, so it is sent where the last value is a code. A sign-in
 * without requestOtp has none.
 */
const isSent = ({ adapter }: Driver, asked: Asked, name: Body) =>
  adapter.has(asked) &&
  ((name !== HALF && name !== BYTE) || (asked === 'confirmOtp' && adapter.has('requestOtp')));

/** Texts that stand in place of a phone, or of a code, by their names in labels. */
const TEXTS = {
  'letters beyond ASCII': 'ключ-é-日本-😀',
  'control characters': '\u0000\u0007\u001b[31m\u0085',
} as const;
const textNames = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

const ROB_AFTERWARDS = 'Rob signs in afterwards';
const OWN = askedNames.flatMap((asked) =>
  [...bodyNames, ...textNames.map((name) => `with ${name}` as const)].map(
    (name) => `${ASKED[asked]} ${name}`,
  ),
);

/** All malformed requests of a run: those of this scenario, and those of `odd-codes` and `several-phones`. */
function malformedOnes(steps: Steps): PlayedStep[] {
  const [codes, phones] = [steps.in(oddCodes), steps.in(severalPhones)];
  return [
    ...OWN.flatMap((label) => steps.all(label)),
    ...MALFORMED_CODES.flatMap((label) => codes.all(label)),
    ...REQUESTS_FOR_BOTH.flatMap((label) => phones.all(label)),
  ];
}

function allRefused(steps: Steps): Judgement {
  const played = malformedOnes(steps);
  const broken = played.filter(({ result }) => result.kind === 'failed' && result.what === 'server-error');
  const [one] = broken;
  if (one)
    return {
      expected: 'a refusal: HTTP 4xx, or a JSON-RPC error',
      actual: `${describe(one.result)}, at ${labelsOf(broken)}`,
      shownBy: broken.slice(0, MAX_EVIDENCE),
    };
  const control = steps.of(ROB_AFTERWARDS);
  if (!isDone(control)) return controlDone(control, 'a good request did not succeed either');
  const silent = played.find(({ result }) => result.kind === 'failed' && result.what !== 'unexpected-answer');
  if (silent) return unclear(describe(silent.result), silent);
  const taken = played.find((each) => each.step.scenario === 'malformed' && isDone(each));
  return taken && { notApplicable: `the server takes it for a good request (at "${taken.step.label}")` };
}

function labelsOf(played: readonly PlayedStep[]): string {
  const labels = [...new Set(played.map(({ step }) => `"${step.label}"`))];
  return `${labels.slice(0, 3).join(', ')}${labels.length > 3 ? ', …' : ''}`;
}

export const malformed = flow({
  id: 'malformed',
  title: 'Requests come with a body that is cut off or empty, or with texts that are no phone and no code',
  needs: ['confirmOtp'],
  codes: 3,
  async play(driver) {
    const rob = await driver.user('Rob');
    for (const asked of askedNames)
      for (const name of bodyNames)
        if (isSent(driver, asked, name))
          // A copy: Rob keeps nothing of a request that succeeds. An empty `requestSeq` sends the values of
          // the newest request: there is no code with a request.
          await driver.perform({ ...rob }, asked, `${ASKED[asked]} ${name}`, {
            change: withBody(BODIES[name]),
            defect: `the body is ${name}`,
            ...(asked === 'confirmOtp' && { code: '000000', requestSeq: '' }),
          });
    for (const name of textNames) {
      const sent = { requestOtp: { phone: TEXTS[name] }, confirmOtp: { code: TEXTS[name], requestSeq: '' } };
      for (const asked of askedNames)
        if (driver.adapter.has('requestOtp'))
          await driver.perform({ ...rob }, asked, `${ASKED[asked]} with ${name}`, {
            defect: `it has ${name}`,
            ...sent[asked],
          });
    }
    await driver.signIn(rob, ROB_AFTERWARDS);
  },
  checks: {
    'malformed-refused': {
      title: 'A malformed request is refused, and causes no error of the server',
      requirements: ['K-malformed-refused'],
      also: [oddCodes, severalPhones],
      judge: allRefused,
      advice:
        'Verify the type of everything that a request has in it before it is used, and answer what is wrong with 400.',
    },
  },
});
