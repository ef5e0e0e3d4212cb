/**
 * Rules for what stands beside the bodies of messages, and for what errors carry along: content types,
 * credentials in headers, the address of the EHR server, and tokens whose save failed.
 */
import { tryJson } from '#protocol/wire/json.ts';
import type { Check } from '../../../engine/check/check.ts';
import { first, type RedChange } from '../../../engine/check/red-change.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../engine/journal/view.ts';
import { wrongCodes } from '../flows/codes/wrong-codes.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { exchangeTokenTrouble } from '../flows/trouble/exchange-token-trouble.ts';
import { hasAcceptedCall, NO_ACCEPTED_CALL, wasTold } from '../internal-calls.ts';
import { answers, rule } from './rule.ts';

type Headers = ExchangeEntry['request']['headers'];

/** The value of a header; undefined where it is absent. `name` is in lower case. */
const headerOf = (headers: Headers, name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1];

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

/** The hosts, with their ports, at which the server under test calls the EHR server. */
const ehrHosts = (journal: JournalView) =>
  new Set(journal.internalCalls.flatMap(({ request }) => headerOf(request.headers, 'host') ?? []));

/** The answers that name a host of the internal channel. */
function namingEhr(journal: JournalView): ReadonlySet<number> {
  const hosts = [...ehrHosts(journal)];
  const textOf = ({ response }: ExchangeEntry) =>
    `${response?.body}\n${response?.headers.map(([, value]) => value).join('\n')}`;
  return new Set(
    answers(journal).flatMap((answer) => {
      const text = textOf(answer);
      return hosts.some((host) => text.includes(host)) ? [answer.seq] : [];
    }),
  );
}

/** The tokens of the calls of a step. The journal has their pseudonyms, in answers as well. */
const tokensOf = ({ exchanges }: PlayedStep) =>
  exchanges.flatMap(({ link, facts: { call } }) =>
    link === 'auth->ehr' ? [call?.exchangeToken ?? call?.token ?? ''].filter((token) => token !== '') : [],
  );

/** The answers that refused a sign-in or an exchange token, and carry the token that was to be saved. */
function tellingFailed(journal: JournalView): ReadonlySet<number> {
  const steps = [...journal.allSteps('exchangeToken'), ...journal.allSteps('confirmOtp')];
  return new Set(
    steps.flatMap((played) => {
      if (!wasTold(played)) return [];
      const tokens = tokensOf(played);
      return played.exchanges.flatMap(({ link, seq, response }) =>
        link === 'client->auth' && tokens.some((token) => response?.body.includes(token)) ? [seq] : [],
      );
    }),
  );
}

/** Lets the answer to a client name the host of the internal channel. */
const namesHost: RedChange = ({ exchanges }) => {
  const host = headerOf(first(exchanges('auth->ehr')).request.headers, 'host');
  const { response } = first(exchanges('client->auth').filter((each) => each.response));
  if (response) response.body += host;
};

/** Turns the answers that gave exchange tokens into refusals that carry them. */
const refusesWithToken: RedChange = ({ entries }) => {
  const given = entries.filter(
    (entry) =>
      entry.kind === 'outcome' &&
      entry.result.kind === 'done' &&
      entry.result.values.exchangeToken !== undefined,
  );
  first(given);
  for (const outcome of given)
    Object.assign(outcome, { result: { kind: 'refused', status: 502, reason: 'no' } });
};

/** A rule for all answers to clients, of which `find` returns the wrong ones. */
const ofAnswers = (
  about: Pick<Check, 'id' | 'title' | 'requirements' | 'red'> & {
    expected: string;
    actual: string;
    advice: string;
  },
  find: (journal: JournalView) => ReadonlySet<number>,
) => {
  const { actual, ...rest } = about;
  let wrong: ReadonlySet<number> = new Set();
  return rule({
    ...rest,
    scenarios: [firstLink, exchangeTokenTrouble],
    watchable: false,
    of(journal) {
      wrong = find(journal);
      return answers(journal);
    },
    nothing: 'the server did nothing that a client asked for',
    wrong: ({ seq }) => (wrong.has(seq) ? actual : undefined),
    control: { seen: hasAcceptedCall, because: NO_ACCEPTED_CALL },
  });
};

export const channelRules: readonly Check[] = [
  rule({
    id: 'answers-say-json',
    title: 'An answer to a client whose body is JSON says so',
    requirements: ['K-answers-say-type'],
    scenarios: [firstLink, wrongCodes],
    watchable: false,
    of: answers,
    nothing: 'the server did nothing that a client asked for',
    wrong: wrongType,
    expected: 'Content-Type application/json',
    advice: 'Send Content-Type: application/json with every JSON body, that of a refusal included.',
    control: { seen: hasAcceptedCall, because: NO_ACCEPTED_CALL },
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
  ofAnswers(
    {
      id: 'ehr-address-not-told',
      title: 'No answer to a client names the address of the EHR server',
      requirements: ['K-ehr-address-kept'],
      red: namesHost,
      expected: 'nothing of where the internal channel ends',
      actual: 'it names host and port of the EHR server',
      advice: 'Tell the client in words of your own that the EHR server failed, and log the address.',
    },
    namingEhr,
  ),
  ofAnswers(
    {
      id: 'failed-token-not-told',
      title: 'An error that tells of a failed save does not carry the token',
      requirements: ['K-failed-token-kept'],
      red: refusesWithToken,
      expected: 'an error without the token that was to be saved',
      actual: 'the error carries the token whose save failed',
      advice: 'Forget a token whose save failed, and draw another one at the next attempt.',
    },
    tellingFailed,
  ),
];
