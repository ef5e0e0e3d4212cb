/** What every call of the authorization server to the EHR server must look like (§2, §4, §5, §9). */
import type { ExchangeEntry } from '../journal/entry.ts';
import type { JournalView } from '../journal/view.ts';
import type { Check } from './check.ts';
import { allOf, NO_INTERNAL_CALLS, SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from './judging.ts';

const everywhere = ['first-link', 'returning-user'] as const;

type Rule = Omit<Check, 'judge' | 'watchable' | 'scenarios' | 'level'> & {
  level?: Check['level'];
  expected: string;
  advice: string;
  /** Which calls it is about; all internal calls unless given. */
  of?: (journal: JournalView) => ExchangeEntry[];
  /** What is wrong with a call, if anything. */
  wrong: (exchange: ExchangeEntry) => string | undefined;
  nothing?: string;
};

function rule({
  expected,
  advice,
  of = (journal) => journal.internalCalls,
  wrong,
  nothing = NO_INTERNAL_CALLS,
  level = 'MUST',
  ...about
}: Rule): Check {
  return {
    ...about,
    level,
    scenarios: everywhere,
    watchable: true,
    judge: (journal) => allOf(of(journal), wrong, { expected, advice, nothing }),
  };
}

const saves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_AUTH_INFO);
const tokenSaves = (journal: JournalView) => journal.exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN);
const anything = (journal: JournalView) =>
  journal.exchanges('auth->ehr').filter(({ request }) => !request.path.startsWith('/elsewhere'));
const NO_SAVE = 'no save_auth_info was sent';
const NO_TOKEN_SAVE = 'no save_exchange_token was sent';
const UNDISTURBED: ReadonlySet<string> = new Set(['first-link', 'returning-user', 'many-tokens', 'crowd']);
const header = (exchange: ExchangeEntry, name: string) =>
  exchange.request.headers.find(([key]) => key.toLowerCase() === name)?.[1];

const wrongDigest =
  (kind: 'exchange-token' | 'user-sign', secret: string) =>
  ({ facts: { digest } }: ExchangeEntry) => {
    if (!digest) return 'there is no cred.token';
    if (digest.over?.kind === kind || (digest.over && kind === 'user-sign' && digest.over.kind === 'user-sign'))
      return undefined;
    if (digest.over)
      return `the digest is over ${digest.over.kind === 'user-sign' ? 'a user_sign' : 'the exchange token'} and not over ${secret}`;
    return digest.explained ?? `the digest is right for no secret that is known`;
  };

export const internalChannel: readonly Check[] = [
  rule({
    id: 'call-is-post-json',
    title: 'Calls to the EHR server are HTTP POST with a JSON body that says so',
    requirements: ['4-post-json', 'D2-not-json-415'],
    expected: 'POST with Content-Type application/json and a JSON body',
    advice: 'Send the call by POST, with the header Content-Type: application/json.',
    of: anything,
    wrong: (exchange) => {
      if (exchange.request.method !== 'POST') return `the HTTP method is ${exchange.request.method}`;
      const type = header(exchange, 'content-type')?.split(';')[0]?.trim().toLowerCase();
      if (type !== 'application/json') return `the Content-Type is ${type ?? 'absent'}`;
      return exchange.facts.call ? undefined : 'the body is no JSON-RPC call';
    },
  }),
  rule({
    id: 'call-path-has-version',
    title: 'Calls go to the base URL followed by the version',
    requirements: ['9-version-in-path', '4-one-endpoint'],
    expected: 'the path is /<api_version>/, with or without the closing slash',
    advice: 'Put the version segment behind the base URL of the EHR server, as it is configured.',
    of: anything,
    wrong: ({ response, request }) => (response?.status === 404 ? `the path ${request.path} is not served` : undefined),
  }),
  rule({
    id: 'envelope',
    title: 'Calls carry jsonrpc "2.0", an id, a method and params by name',
    requirements: ['2.1-jsonrpc-sent', '2.1-id-sent', '2.1-method-sent', '2.1-params-sent'],
    expected: 'jsonrpc is the string 2.0, id a string or number, params an object',
    advice: 'Build the envelope of section 2.1; the id tells replies apart.',
    wrong: ({ facts: { call } }) => {
      if (call?.jsonrpc !== '2.0') return `jsonrpc is ${call?.jsonrpc}`;
      if (!['string', 'integer', 'number'].includes(call.idType)) return `the id is ${call.idType}`;
      return '' in call.params ? `params is ${call.params['']}` : undefined;
    },
  }),
  rule({
    id: 'cred-present',
    title: 'Calls carry cred with user and token as strings',
    requirements: ['2.1-cred-sent', '2.2-user-names-caller', '4.1-cred-required', '4.2-cred-required'],
    expected: 'cred is an object with the strings user and token',
    advice: 'Send cred { user, token } in the envelope, beside params.',
    wrong: ({ facts: { call } }) => {
      if (!call?.cred) return 'there is no cred';
      const bad = ['user', 'token'].filter((name) => call.cred?.[name] !== 'string');
      return bad.length > 0 ? `cred.${bad.join(', cred.')} is no string` : undefined;
    },
  }),
  rule({
    id: 'cred-user',
    title: "cred.user is the authorization server's internal user name",
    requirements: ['5.1-user'],
    expected: 'cred.user is the internal user name of the settings',
    advice: 'Send the internal user name agreed with the EHR server, not the end user.',
    wrong: ({ facts: { digest } }) => (digest?.rightUser ? undefined : 'cred.user is another name'),
  }),
  rule({
    id: 'digest-shape',
    title: 'cred.token is 40 lowercase hexadecimal characters',
    requirements: ['2.2-digest-shape'],
    expected: '40 characters from 0-9 and a-f',
    advice: 'Write the SHA-1 digest in lowercase hexadecimal.',
    wrong: ({ facts: { digest } }) => {
      if (!digest) return 'there is no cred.token';
      return digest.lowercaseHex
        ? undefined
        : `it has ${digest.length} characters and is not lowercase hexadecimal${digest.explained ? `: ${digest.explained}` : ''}`;
    },
  }),
  rule({
    id: 'exchange-token-digest',
    title: 'cred.token of save_exchange_token is the digest over internal password and exchange token',
    requirements: ['5.2-digest', '5.1-digest-order'],
    expected: 'sha1(internal password + exchange token), UTF-8, nothing between',
    advice: 'Digest the password first and the exchange token directly behind it.',
    of: tokenSaves,
    nothing: NO_TOKEN_SAVE,
    wrong: wrongDigest('exchange-token', 'the exchange token'),
  }),
  rule({
    id: 'user-sign-digest',
    title: 'cred.token of save_auth_info is the digest over internal password and user_sign',
    requirements: ['5.1-digest', '5.1-digest-order'],
    expected: 'sha1(internal password + user_sign), UTF-8, nothing between',
    advice:
      'Digest the password first and the user_sign directly behind it, exactly as the EHR server gave it to the client.',
    of: saves,
    nothing: NO_SAVE,
    wrong: wrongDigest('user-sign', 'the user_sign'),
  }),
  rule({
    id: 'own-user-sign',
    title: 'save_auth_info uses the user_sign of the very user whose session it saves',
    requirements: ['5.1-digest-of-own-sign'],
    expected: 'the digest is over the user_sign of authInfo.user',
    advice: 'Look the user_sign up by the user whose session is saved; never reuse the last one.',
    of: (journal) => saves(journal).filter(({ facts }) => facts.digest?.over?.kind === 'user-sign'),
    nothing: 'no save_auth_info came with a digest over a known user_sign',
    wrong: ({ facts: { call, digest } }) =>
      digest?.over?.owner === call?.user ? undefined : "the user_sign is another user's",
  }),
  rule({
    id: 'auth-info-complete',
    title: 'authInfo has user and token as strings and ttl as an integer',
    requirements: ['2.3-user', '2.3-token', '2.3-ttl', '4.1-params', '4.2-params'],
    expected: 'authInfo { user: string, token: string, ttl: integer }',
    advice: 'Send all three members, ttl as a JSON number without quotes.',
    wrong: ({ facts: { call } }) => {
      const info = call?.authInfo;
      if (!info) return 'there is no authInfo';
      const types = { user: 'string', token: 'string', ttl: 'integer' };
      const bad = Object.entries(types).filter(([name, type]) => info[name] !== type);
      return bad.length > 0
        ? bad.map(([name, type]) => `authInfo.${name} is ${info[name] ?? 'absent'} and not ${type}`).join(', ')
        : undefined;
    },
  }),
  rule({
    id: 'ttl-sane',
    title: 'ttl is between one minute and ten years, counted in minutes',
    requirements: ['2.3-ttl', 'D9-ttl-minutes', 'D9-ttl-from-one'],
    expected: 'a ttl from 1 to 5,259,600 minutes',
    advice: 'ttl counts minutes: a session of one day is 1440. A ttl of 0, or one in milliseconds, is refused.',
    of: (journal) => journal.internalCalls.filter(({ facts }) => facts.call?.ttl !== undefined),
    nothing: 'no call carried a ttl that is a number',
    wrong: ({ facts: { call } }) => {
      const ttl = call?.ttl ?? 0;
      return ttl >= 1 && ttl <= 5_259_600 ? undefined : `ttl is ${ttl}`;
    },
  }),
  rule({
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
    id: 'no-internal-user-id',
    title: 'No call carries the internal user id',
    requirements: ['2.3-internal-id-not-sent'],
    expected: 'no member internalUserId',
    advice: 'The internal user id stays in your own correspondence table.',
    wrong: ({ request }) =>
      /internal_?user_?id/i.test(request.body) ? 'the body has a member internalUserId' : undefined,
  }),
  rule({
    id: 'secrets-not-in-clear',
    title: 'Internal password and user_sign never cross in clear',
    requirements: ['5.1-secrets-not-in-clear'],
    expected: 'password and user_sign only inside the digest',
    advice: 'Send the digest alone; no Authorization header, no extra member, no query.',
    of: (journal) => journal.exchanges('auth->ehr'),
    wrong: ({ facts: { inClear } }) => inClear?.join(', '),
  }),
  rule({
    id: 'no-patient-data',
    title: 'The authorization server neither receives nor passes on patient properties',
    requirements: ['1-properties-not-relayed', '1-properties-not-to-auth'],
    expected: 'no patient property in any form',
    advice: 'Patient properties go from the client to the EHR server only. Remove whatever collects or relays them.',
    // Before a patient was found by their properties there is nothing that could have been passed on.
    of: (journal) => {
      const all = [...journal.exchanges('auth->ehr'), ...journal.exchanges('client->auth')];
      const identified = journal.exchanges('client->ehr', 'embedded_storage.authenticate');
      return identified.some(({ facts }) => facts.reply?.result) ? all : all.filter(({ facts }) => facts.patientData);
    },
    nothing: 'no patient identified themselves to the EHR server, so there was nothing to pass on',
    wrong: ({ facts: { patientData } }) => patientData?.join(', '),
  }),
  rule({
    id: 'only-internal-methods',
    title: 'The authorization server calls no method that belongs to the client',
    requirements: ['4.3-caller', '4.4-caller', '4.1-internal-channel', '4.2-internal-channel'],
    expected: 'save_auth_info and save_exchange_token only',
    advice: 'authenticate, get_patient and the removals are called by the client application itself.',
    wrong: ({ facts: { call } }) =>
      call && [SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN].includes(call.method) ? undefined : `it called ${call?.method}`,
  }),
  rule({
    id: 'calls-accepted',
    title: 'Calls that nothing is wrong with on purpose are accepted by the EHR server',
    requirements: ['1-exchange-token-to-ehr', '3-exchange-token-remembered', '3-save-opens'],
    expected: 'the reference EHR server accepts the call',
    advice:
      'The reason in the reply says what the EHR server found; the other failures of this report usually explain it.',
    // Where scenarios are played, only those in which nothing is put in the way.
    of: (journal) =>
      journal.internalCalls.filter(({ scenario }) => scenario === undefined || UNDISTURBED.has(scenario)),
    wrong: ({ facts: { reply }, response }) => {
      if (reply?.result) return undefined;
      return reply
        ? `refused with code ${reply.code} (${reply.reason})`
        : `answered with HTTP ${response?.status ?? 'nothing'}`;
    },
  }),
];
