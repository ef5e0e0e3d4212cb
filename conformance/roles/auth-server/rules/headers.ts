/**
 * Rules for headers: answers of the authorization server to clients say what they are, and its calls to the
 * EHR server carry no credentials in headers. Answers with tokens are not cached, and no header has a token.
 */
import { tryJson } from '#protocol/wire/json.ts';
import type { Check } from '../../../engine/check/check.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import { headerOf } from '../../../engine/journal/header-of.ts';
import { TO_CLIENT } from '../../../engine/journal/secrets/found/secrets-to-client.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { wrongCodes } from '../flows/codes/wrong-codes.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { manyTokens } from '../flows/links/many-tokens.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { isDone } from '../flows/step-values.ts';
import { hasAcceptedCall, NO_ACCEPTED_CALL } from '../internal-calls.ts';
import { OF_ANSWERS, rule } from './rule.ts';

/** The types of JSON: `application/json`, and those that end in `+json`. */
const JSON_TYPE = /^(application|text)\/(json|[\w.-]+\+json)$/i;

/** Whether a body is a JSON object or a JSON list. A lone word or number may be any text. */
const isJson = (body: string) => /^\s*[[{]/.test(body) && tryJson(body) !== undefined;

/** Says what is wrong with the type of an answer; undefined: nothing. */
function wrongType({ response }: ExchangeEntry): string | undefined {
  if (!response || !isJson(response.body)) return undefined;
  const type = headerOf(response.headers, 'content-type')?.split(';')[0]?.trim();
  return type !== undefined && JSON_TYPE.test(type) ? undefined : `the Content-Type is ${type ?? 'absent'}`;
}

export const headerRules: readonly Check[] = [
  rule({
    id: 'keys-not-in-headers',
    title: 'No answer to a client has a token or a user_sign in a header',
    requirements: ['K-keys-not-in-headers'],
    ...OF_ANSWERS,
    scenarios: [firstLink, manyTokens],
    wrong: ({ facts }) => facts.toClient?.find((told) => told.startsWith(TO_CLIENT.inHeader)),
    expected: 'tokens and signatures in the body, or in a cookie that is HttpOnly',
    advice:
      'Give tokens in the body of the answer: addresses and other headers are written to logs and histories. Mark a cookie that carries one HttpOnly.',
  }),
  rule({
    id: 'answers-say-json',
    title: 'An answer to a client whose body is JSON says so',
    requirements: ['K-answers-say-type'],
    ...OF_ANSWERS,
    scenarios: [firstLink, wrongCodes],
    wrong: wrongType,
    expected: 'Content-Type application/json',
    advice: 'Send Content-Type: application/json with every JSON body, that of a refusal included.',
  }),
  rule({
    id: 'digest-is-the-only-credential',
    title: 'Calls to the EHR server carry no Authorization header and no cookie',
    requirements: ['K-digest-alone'],
    scenarios: [firstLink, returningUser],
    watchable: false,
    expected: 'cred in the body, and no credentials in headers',
    advice: 'Send the digest in cred alone: a header would open the data of all users at once.',
    wrong({ request }) {
      const names = ['authorization', 'cookie'].filter(
        (name) => headerOf(request.headers, name) !== undefined,
      );
      return names.length > 0 ? `the call has the header ${names.join(' and ')}` : undefined;
    },
    control: { seen: hasAcceptedCall, because: NO_ACCEPTED_CALL },
  }),
  rule({
    id: 'tokens-not-cached',
    title: 'Answers with tokens say that they must not be stored',
    requirements: ['K-tokens-not-cached'],
    scenarios: [firstLink, manyTokens],
    watchable: false,
    of: answersWithTokens,
    wrong({ response }) {
      const value = headerOf(response?.headers, 'cache-control');
      return /\bno-store\b/i.test(value ?? '') ? undefined : `Cache-Control is ${value ?? 'absent'}`;
    },
    expected: 'Cache-Control: no-store',
    advice: 'Send Cache-Control: no-store with every answer that has a token in it.',
    nothing: 'no client was given a token, or the server under test sent no call to the EHR server',
  }),
];

/**
 * The answers that gave a client a session or an exchange token; none where the server never calls the EHR
 * server.
 */
function answersWithTokens(journal: JournalView): ExchangeEntry[] {
  if (journal.internalCalls.length === 0) return [];
  return [...journal.allSteps('confirmOtp'), ...journal.allSteps('exchangeToken')]
    .filter(isDone)
    .flatMap(
      ({ exchanges }) => exchanges.find(({ link, response }) => link === 'client->auth' && response) ?? [],
    );
}
