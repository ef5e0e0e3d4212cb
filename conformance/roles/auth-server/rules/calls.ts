/** The required form of every call of the authorization server to the EHR server (§2, §4, §9). */
import type { Check } from '../../../engine/check/check.ts';
import { circumstancesOf } from '../../../engine/check/circumstances.ts';
import { rule } from '../../../engine/check/rule.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { REDIRECT_PATH } from '../flows/trouble/odd-replies.ts';
import { isOwnRepeat, replyWords, SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';
import { NO_TOKEN_SAVE, savesOfBoth, tokenSaves, UNDISTURBED, USUAL, unless } from './usual.ts';

/** Whether a call has no answer because the server under test, which sent the call, died meanwhile. */
function wasLeftByDeath({ serverEvents }: JournalView, { broke, at, endedAt }: ExchangeEntry): boolean {
  if (broke !== 'closed-early') return false;
  return serverEvents.some((death, index) => {
    const again =
      serverEvents.slice(index + 1).find(({ event }) => event === 'started')?.at ?? Number.POSITIVE_INFINITY;
    return death.event === 'died' && endedAt >= death.at - MAX_DEATH_UNSEEN_MS && at <= again;
  });
}

/** Limits the time (ms) from a broken connection to the death that caused it. */
const MAX_DEATH_UNSEEN_MS = 1_000;

/** Whether a call ought to be accepted: nothing is wrong with it on purpose, and nothing disturbed it. */
function oughtToBeAccepted(journal: JournalView, exchange: ExchangeEntry): boolean {
  const { facts, broke, fault } = exchange;
  const circumstances = circumstancesOf(journal, exchange);
  // A watched call is judged by the state of the EHR server, unless its sender broke it off.
  if (circumstances && broke !== 'closed-early')
    return circumstances.oughtToBeAccepted || (fault === undefined && facts.reply?.result === true);
  if (journal.isKitLate(exchange) || wasLeftByDeath(journal, exchange)) return false;
  if (isOwnRepeat(exchange, journal.internalCalls)) return false;
  const step = journal.stepOf(exchange)?.step;
  if (step) return step.defect === undefined && UNDISTURBED.has(step.scenario);
  // Only its step would tell whether a link that is gone was removed on purpose.
  return fault === undefined && facts.reply?.reason !== 'user_unknown';
}

/** All requests to the EHR server, JSON-RPC or not; followed redirects excepted. */
const allRequests = (journal: JournalView) =>
  journal.exchanges('auth->ehr').filter(({ request }) => !request.path.startsWith(REDIRECT_PATH));

const CLIENTS_OWN: readonly string[] = ['embedded_storage.authenticate', 'patient.get_patient'];

const linkedSeen = unless(
  (journal) => journal.exchanges('auth->ehr', SAVE_AUTH_INFO).some(({ facts }) => facts.reply?.result),
  'no save_auth_info was accepted, so what the server does with a linked user was not seen',
);

/** Rules for single calls. `wrong` says what is wrong with a call; undefined: nothing is. */
export const callRules: readonly Check[] = [
  rule({
    ...USUAL,
    id: 'call-is-post-json',
    title: 'Calls to the EHR server are HTTP POST with a JSON body',
    requirements: ['4-post-json'],
    expected: 'POST with a JSON body',
    advice: 'Send the call by POST, as JSON in the body.',
    of: allRequests,
    wrong: (exchange) => {
      if (exchange.request.method !== 'POST') return `the HTTP method is ${exchange.request.method}`;
      return exchange.facts.call ? undefined : 'the body is no JSON-RPC call';
    },
  }),
  rule({
    ...USUAL,
    id: 'call-path-has-version',
    title: 'Calls go to the base URL followed by the version',
    requirements: ['9-version-in-path', '4-one-endpoint'],
    expected: 'the path is /<api_version>/, with or without the closing slash',
    advice: 'Put the version segment behind the base URL of the EHR server, as it is configured.',
    of: allRequests,
    wrong: ({ response, request }) =>
      response?.status === 404 ? `the path ${request.path} is not served` : undefined,
  }),
  rule({
    ...USUAL,
    id: 'envelope',
    title: 'Calls carry jsonrpc "2.0", an id, a method and params by name',
    requirements: ['2.1-jsonrpc-sent', '2.1-id-sent', '2.1-method-sent', '2.1-params-sent'],
    expected: 'jsonrpc is the string 2.0, id a string or number, params an object',
    advice: 'Build the envelope of section 2.1; the id tells replies apart.',
    wrong: ({ facts: { call } }) => {
      if (call?.jsonrpc !== '2.0') return `jsonrpc is ${call?.jsonrpc}`;
      if (!['string', 'integer', 'number'].includes(call.idType)) return `the id is ${call.idType}`;
      // The key '' stands for params that are no object; its value is their type.
      return '' in call.params ? `params is ${call.params['']}` : undefined;
    },
  }),
  rule({
    ...USUAL,
    id: 'cred-present',
    title: 'Calls carry cred with user and token as strings',
    requirements: ['2.1-cred-sent', '2.2-user-names-caller', '4.1-cred-required', '4.2-cred-required'],
    shownBy: { '4.1-cred-required': SAVE_AUTH_INFO, '4.2-cred-required': SAVE_EXCHANGE_TOKEN },
    expected: 'cred is an object with the strings user and token',
    advice: 'Send cred { user, token } in the envelope, beside params.',
    of: savesOfBoth,
    wrong: ({ facts: { call } }) => {
      if (!call?.cred) return 'there is no cred';
      const bad = ['user', 'token'].filter((name) => call.cred?.[name] !== 'string');
      return bad.length > 0 ? `cred.${bad.join(', cred.')} is no string` : undefined;
    },
  }),
  rule({
    ...USUAL,
    id: 'auth-info-complete',
    title: 'authInfo has user and token as strings and ttl as an integer',
    requirements: ['2.3-user', '2.3-token', '2.3-ttl', '4.1-params', '4.2-params'],
    shownBy: { '4.1-params': SAVE_AUTH_INFO, '4.2-params': SAVE_EXCHANGE_TOKEN },
    expected: 'authInfo { user: string, token: string, ttl: integer }',
    advice: 'Send all three members, ttl as a JSON number without quotes.',
    of: savesOfBoth,
    wrong: ({ facts: { call } }) => {
      const info = call?.authInfo;
      if (!info) return 'there is no authInfo';
      const types = { user: 'string', token: 'string', ttl: 'integer' };
      const bad = Object.entries(types).filter(([name, type]) => info[name] !== type);
      return bad.length > 0
        ? bad
            .map(([name, type]) => `authInfo.${name} is ${info[name] ?? 'absent'} and not ${type}`)
            .join(', ')
        : undefined;
    },
  }),
  rule({
    ...USUAL,
    id: 'exchange-token-is-string',
    title: 'save_exchange_token carries exchangeToken as a string',
    requirements: ['2.4-parameter-name', '4.2-params'],
    expected: 'params.exchangeToken is a string',
    advice: 'The parameter is called exchangeToken on the wire.',
    of: tokenSaves,
    nothing: NO_TOKEN_SAVE,
    wrong: ({ facts: { call } }) =>
      call?.params.exchangeToken === 'string'
        ? undefined
        : `exchangeToken is ${call?.params.exchangeToken ?? 'absent'}`,
  }),
  rule({
    ...USUAL,
    id: 'no-internal-user-id',
    title: 'No call carries the internal user id',
    requirements: ['2.3-internal-id-not-sent'],
    expected: 'no member internalUserId',
    advice: 'The internal user id stays in your own correspondence table.',
    wrong: ({ request }) =>
      /internal_?user_?id/i.test(request.body) ? 'the body has a member internalUserId' : undefined,
  }),
  rule({
    ...USUAL,
    id: 'only-internal-methods',
    title: 'The authorization server makes no call of the client: neither authenticate nor get_patient',
    requirements: ['4.3-caller', '4.4-caller'],
    expected: 'authenticate and get_patient are called by the client alone',
    advice: 'Leave embedded_storage.authenticate and patient.get_patient to the client application.',
    wrong: ({ facts: { call } }) =>
      CLIENTS_OWN.includes(call?.method ?? '') ? `it called ${call?.method}` : undefined,
    control: linkedSeen,
  }),
  rule({
    ...USUAL,
    id: 'calls-accepted',
    title: 'Calls that nothing is wrong with on purpose are accepted by the EHR server',
    requirements: ['1-exchange-token-to-ehr', '3-exchange-token-remembered', '3-save-opens'],
    shownBy: {
      '1-exchange-token-to-ehr': SAVE_EXCHANGE_TOKEN,
      '3-exchange-token-remembered': SAVE_EXCHANGE_TOKEN,
      '3-save-opens': SAVE_AUTH_INFO,
    },
    expected: 'the reference EHR server accepts the call',
    advice:
      'The reason in the reply says what the EHR server found; the other failures of this report usually explain it.',
    of: (journal) => savesOfBoth(journal).filter((save) => oughtToBeAccepted(journal, save)),
    wrong: (exchange) => (exchange.facts.reply?.result ? undefined : replyWords(exchange)),
    timed: true,
    saysWhy: false,
  }),
];
