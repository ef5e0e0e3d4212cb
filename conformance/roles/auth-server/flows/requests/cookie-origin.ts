import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { headerOf } from '../../../../engine/journal/header-of.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { check } from '../flow.ts';
import { fault, unclear } from '../step-values.ts';

const SIGN_IN = 'signs in for the foreign page';
const CONTROL = 'exchange token from the client';
const FOREIGN = 'exchange token from a foreign page';

/** The client's exchange with the authorization server in this step, answered or not. */
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
  // `of` ends the judgement if the step was not played at all.
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

export const cookieOrigin = check({
  id: 'foreign-origin-not-allowed-cookies',
  title: 'Where a cookie names the session, a page of a foreign origin is not allowed credentials',
  requirements: ['K-cookie-origins-listed'],
  judge: allowsNoPage,
  advice:
    'List the origins of your clients and allow no other: a page of anybody could use the session of whoever looks at it.',
});
