/** Requests that no honest client sends, and headers of answers (good practice on §1 and §5). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  allOf,
  fail,
  inconclusive,
  NO_INTERNAL_CALLS,
  notApplicable,
  notRun,
  pass,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { guessedCodes } from '../../flows/codes/codes.ts';
import { crowd, firstLink, manyTokens } from '../../flows/links/linking.ts';
import { claimedAddresses, FOREIGN_ORIGIN, likeOrigins, oddRequests } from '../../flows/requests/odd-requests.ts';
import { doubledMembersChecks } from './doubled-members.ts';

const { steps } = oddRequests;

const answered = (played: PlayedStep | undefined) =>
  played?.exchanges.find(({ link, response }) => link === 'client->auth' && response);

const header = (headers: readonly [string, string][] | undefined, name: string) =>
  headers?.find(([each]) => each.toLowerCase() === name)?.[1];

function judgePlain(journal: JournalView): Finding {
  const [plain, right] = [journal.step(steps.plain), journal.step(steps.notPlain)];
  if (!plain || !right) return notRun(journal, steps.plain);
  const sent = header(answered(plain)?.request.headers, 'content-type');
  if (sent !== 'text/plain')
    return notApplicable('the sign-in has no body with a Content-Type of its own, so there is none to be changed');
  if (plain.result.kind === 'done')
    return fail({
      expected: 'HTTP 415, or another refusal',
      actual: 'it was carried out',
      evidence: plain.evidence,
      advice:
        'Take a body only under the Content-Type that your clients send. A page of any origin may send text/plain without being asked first.',
    });
  if (right.result.kind !== 'done')
    return inconclusive(
      `the same sign-in as the adapter file says did not succeed (${describe(right.result)})`,
      right.evidence,
    );
  return pass([...plain.evidence, ...right.evidence]);
}

/** Whether a page of this origin may read the answer with the user's credentials. */
function allows(exchange: ExchangeEntry | undefined, origin: string): boolean {
  const headers = exchange?.response?.headers;
  return (
    header(headers, 'access-control-allow-origin') === origin &&
    header(headers, 'access-control-allow-credentials')?.toLowerCase() === 'true'
  );
}

function judgeOrigin(journal: JournalView): Finding {
  const control = journal.step(steps.originControl);
  const attempts = [
    [journal.step(steps.originForeign), FOREIGN_ORIGIN],
    [journal.step(steps.originNull), 'null'],
    ...likeOrigins.map((origin) => [journal.step(steps.originLike(origin)), origin] as const),
  ] as const;
  const tried = attempts.flatMap(([played, origin]) => {
    const exchange = answered(played);
    return played && header(exchange?.request.headers, 'origin') === origin ? [{ played, exchange, origin }] : [];
  });
  if (!control || tried.length === 0) return notRun(journal, steps.originForeign);
  const wrong = tried.find(({ exchange, origin }) => allows(exchange, origin));
  if (wrong)
    return fail({
      expected: 'no Access-Control-Allow-Origin for a page that is none of the clients',
      actual: `the origin ${wrong.origin} was allowed, with credentials`,
      evidence: wrong.played.evidence,
      advice:
        'List the origins of your clients, compare them whole, and allow no other; never send back whatever Origin came.',
    });
  if (control.result.kind !== 'done')
    return inconclusive(
      `the same request from the client did not succeed (${describe(control.result)})`,
      control.evidence,
    );
  return pass(tried.flatMap(({ played }) => played.evidence));
}

function judgeChosen(journal: JournalView): Finding {
  const [chosen, plain] = [journal.step(steps.chosen), journal.step(steps.notChosen)];
  if (!chosen || !plain) return notRun(journal, steps.chosen);
  if (journal.observations(steps.chosen).some(({ values }) => values.isKept === true))
    return fail({
      expected: 'a token that the server has drawn',
      actual: 'the token that the client sent along became the token of the session',
      evidence: chosen.evidence,
      advice:
        'Draw the token at every sign-in. Whoever can make somebody sign in with a token of their choice has the session afterwards.',
    });
  if (chosen.result.kind !== 'done' && plain.result.kind !== 'done')
    return inconclusive('neither with a token nor without one did the sign-in succeed', plain.evidence);
  return pass(chosen.evidence);
}

function judgeClaimed(journal: JournalView): Finding {
  const { afterwards } = claimedAddresses.steps;
  const [attempt, limited] = [journal.step(afterwards), journal.step(guessedCodes.steps.afterwards)];
  if (!attempt) return notRun(journal, afterwards);
  if (!limited) return notRun(journal, guessedCodes.steps.afterwards);
  if (journal.step(guessedCodes.steps.atOnce)?.result.kind !== 'done')
    return inconclusive('a right code that no guess came before did not confirm either', limited.evidence);
  if (limited.result.kind === 'done')
    return inconclusive('from one address the tries are not limited either: see tries-limited', limited.evidence);
  if (attempt.result.kind === 'done' && journal.step(crowd.steps.vicAfterwards)?.result.kind === 'done')
    return inconclusive('tries are forgotten without the header, too: see tries-kept-beside-others', attempt.evidence);
  if (attempt.result.kind === 'done')
    return fail({
      expected: 'the right code is refused after as many wrong ones as without the header',
      actual: 'with another X-Forwarded-For for each try it confirmed',
      evidence: attempt.evidence,
      advice:
        'Count the tries of the code itself. Take an address from X-Forwarded-For only where a proxy of your own has set it.',
    });
  if (attempt.result.kind !== 'refused') return inconclusive(describe(attempt.result), attempt.evidence);
  return pass([...limited.evidence, ...attempt.evidence]);
}

/** Answers that gave a session or an exchange token. */
const withTokens = (journal: JournalView) =>
  [...journal.allSteps('confirmOtp'), ...journal.allSteps('exchangeToken')].flatMap((played) => {
    const exchange = answered(played);
    return played.result.kind === 'done' && exchange ? [exchange] : [];
  });

export const oddRequestChecks: readonly Check[] = [
  check({
    id: 'text-plain-refused',
    title: 'A sign-in whose body comes as text/plain is refused',
    level: 'SHOULD',
    requirements: ['K-json-alone'],
    scenarios: [oddRequests],
    judge: judgePlain,
  }),
  check({
    id: 'foreign-origin-not-allowed',
    title: 'A page of a foreign origin is not allowed to read answers with credentials',
    level: 'SHOULD',
    requirements: ['K-origins-listed'],
    scenarios: [oddRequests],
    judge: judgeOrigin,
  }),
  check({
    id: 'session-token-drawn-by-server',
    title: 'A token that a client sends with the sign-in does not become the token of the session',
    requirements: ['K-token-drawn'],
    scenarios: [oddRequests],
    judge: judgeChosen,
  }),
  ...doubledMembersChecks,
  check({
    id: 'tries-limited-from-claimed-addresses',
    title: 'Wrong codes are limited whatever address the client claims to have',
    requirements: ['K-code-tries-limited'],
    scenarios: [claimedAddresses, guessedCodes, crowd],
    judge: judgeClaimed,
  }),
  check({
    id: 'tokens-not-cached',
    title: 'Answers with tokens say that they must not be stored',
    level: 'SHOULD',
    requirements: ['K-tokens-not-cached'],
    scenarios: [firstLink, manyTokens],
    judge: (journal) =>
      journal.internalCalls.length === 0
        ? inconclusive(NO_INTERNAL_CALLS)
        : allOf(
            withTokens(journal),
            ({ response }) => {
              const value = header(response?.headers, 'cache-control');
              return /\bno-store\b/i.test(value ?? '') ? undefined : `Cache-Control is ${value ?? 'absent'}`;
            },
            {
              expected: 'Cache-Control: no-store',
              advice: 'Send Cache-Control: no-store with every answer that has a token in it.',
              nothing: 'no client was given a token',
            },
          ),
  }),
];
