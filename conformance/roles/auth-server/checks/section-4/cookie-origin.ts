/** Pages of foreign origins, where the browser itself adds the session as a cookie (§4). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notApplicable, notRun, pass } from '../../../../engine/check/judging.ts';
import { first } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { FOREIGN_ORIGIN, likeOrigins, oddRequests } from '../../flows/requests/odd-requests.ts';

const { steps } = oddRequests;

const answered = (played: PlayedStep | undefined) =>
  played?.exchanges.find(({ link, response }) => link === 'client->auth' && response);

const header = (headers: readonly [string, string][] | undefined, name: string) =>
  headers?.find(([each]) => each.toLowerCase() === name)?.[1];

function allowsCredentials({ request, response }: ExchangeEntry): boolean {
  return (
    header(response?.headers, 'access-control-allow-origin') === header(request.headers, 'origin') &&
    header(response?.headers, 'access-control-allow-credentials')?.toLowerCase() === 'true'
  );
}

function judgeCookieOrigin(journal: JournalView): Finding {
  const [signIn, control] = [journal.step(steps.originSignIn), journal.step(steps.originControl)];
  const labels = [steps.originForeign, steps.originNull, ...likeOrigins.map((origin) => steps.originLike(origin))];
  const tried = labels.flatMap((label) => answered(journal.step(label)) ?? []);
  if (!signIn || !control || tried.length === 0) return notRun(journal, steps.originForeign);
  const wrong = tried.find(allowsCredentials);
  const isSent = tried.some(({ request }) => header(request.headers, 'cookie') !== undefined);
  const isSet = header(answered(signIn)?.response?.headers, 'set-cookie') !== undefined;
  if (wrong && !isSent && !isSet)
    return notApplicable('the session is no cookie, so the browser adds it to no request by itself');
  if (wrong)
    return fail({
      expected: 'no Access-Control-Allow-Credentials for a page that is none of the clients',
      actual: `the origin ${header(wrong.request.headers, 'origin')} was allowed, with credentials, and the session is a cookie`,
      evidence: [...signIn.evidence, wrong.seq],
      advice:
        'List the origins of your clients and allow no other: a page of anybody could use the session of whoever looks at it.',
    });
  if (control.result.kind !== 'done')
    return inconclusive('the same request from the client did not succeed', control.evidence);
  return pass(tried.map(({ seq }) => seq));
}

export const cookieOriginChecks: readonly Check[] = [
  check({
    id: 'foreign-origin-not-allowed-cookies',
    title: 'Where a cookie names the session, a page of a foreign origin is not allowed credentials',
    requirements: ['K-cookie-origins-listed'],
    scenarios: [oddRequests],
    judge: judgeCookieOrigin,
    red: ({ entries, exchanges }) => {
      const step = first(entries.filter((entry) => entry.kind === 'step' && entry.label === steps.originForeign.label));
      const exchange = first(exchanges('client->auth').filter((each) => each.step === step.seq));
      exchange.request.headers.push(['Cookie', 'session=1']);
      exchange.response?.headers.push(
        ['Access-Control-Allow-Origin', FOREIGN_ORIGIN],
        ['Access-Control-Allow-Credentials', 'true'],
      );
    },
  }),
];
