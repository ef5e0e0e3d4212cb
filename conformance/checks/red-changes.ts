/** For each check the smallest change to the journal of a right server that must make it red. */
import type { Entry, ExchangeEntry, Facts, Link, StepResult } from '../journal/entry.ts';
import { failures, refusals } from '../scenarios/ehr-trouble.ts';

export type Journal = {
  readonly entries: Entry[];
  /** Every step of this label ends otherwise. */
  outcome(scenario: string, label: string, result: StepResult): void;
  exchanges(link: Link, method?: string): ExchangeEntry[];
};
type Change = (journal: Journal) => void;

const SAVE = 'embedded_storage.save_auth_info';
const SAVE_TOKEN = 'embedded_storage.save_exchange_token';
const done = (values: Record<string, string> = {}): StepResult => ({ kind: 'done', values });
const crashed: StepResult = { kind: 'failed', what: 'server-error', detail: 'HTTP 500' };

const succeeds =
  (scenario: string, label: string): Change =>
  ({ outcome }) =>
    outcome(scenario, label, done());
const crashes =
  (scenario: string, label: string): Change =>
  ({ outcome }) =>
    outcome(scenario, label, crashed);

/** The first call of the method is otherwise. */
const call =
  (change: (exchange: ExchangeEntry) => void, method?: string): Change =>
  ({ exchanges }) =>
    change(first(exchanges('auth->ehr', method)));
const fact = (change: (facts: NonNullable<Facts['call']>) => void, method?: string) =>
  call(({ facts }) => change(facts.call as NonNullable<Facts['call']>), method);
const digest = (change: NonNullable<Facts['digest']> | undefined, method?: string) =>
  call(({ facts }) => (change ? Object.assign(facts, { digest: change }) : delete facts.digest), method);

/** All steps of one kind give the same value. */
const sameValue =
  (step: string, name: string): Change =>
  ({ entries }) => {
    for (const entry of entries) {
      if (entry.kind !== 'outcome' || entry.result.kind !== 'done') continue;
      const own = entries.find(({ seq }) => seq === entry.step);
      if (own?.kind === 'step' && own.step === step)
        entry.result = done({ ...entry.result.values, [name]: '‹session-token 0›' });
    }
  };

/** No save of a session is there. */
const unsaved: Change = ({ exchanges }) => {
  for (const exchange of exchanges('auth->ehr', SAVE)) Object.assign(exchange, { link: 'auth->sms' });
};

const weak =
  (kind: 'exchange-token' | 'session-token'): Change =>
  ({ exchanges }) => {
    for (const { facts } of exchanges('auth->ehr'))
      for (const each of Object.values(facts.fresh ?? {})) if (each.kind === kind) each.bits = 127;
  };

const trouble: Record<string, Change> = Object.fromEntries(
  (
    [
      ['exchange', 'exchange-token-trouble'],
      ['save', 'save-trouble'],
    ] as const
  ).flatMap(([prefix, scenario]) => [
    ...failures.flatMap((name): [string, Change][] => [
      [`${prefix}-told-${name}`, succeeds(scenario, `while: ${name}`)],
      [`${prefix}-survives-${name}`, crashes(scenario, `after: ${name}`)],
    ]),
    ...refusals
      .filter(({ reason }) => prefix === 'exchange' || reason !== 'token_already_stored')
      .map(({ reason }): [string, Change] => [
        `${prefix}-told-${reason.replaceAll('_', '-')}`,
        succeeds(scenario, `refused: ${reason}`),
      ]),
  ]),
);

export const redChanges: Readonly<Record<string, Change>> = {
  ...trouble,
  ...Object.fromEntries(
    ['number-id', 'string-id', 'late', 'split-reply'].map((name) => [
      `understands-${name}`,
      crashes('odd-replies', `exchange token: ${name}`),
    ]),
  ),
  'returning-user-saved-directly': unsaved,
  'second-returning-user-saved-directly': unsaved,
  'sign-on-record-used': unsaved,
  'returning-user-reads-record': crashes('returning-user', 'Cid reads the record'),
  'first-sign-in-not-saved': succeeds('first-link', 'get patient before the link'),
  'no-session-without-code': succeeds('wrong-codes', 'a code although none was requested'),
  'wrong-code-refused': succeeds('wrong-codes', 'wrong code'),
  'foreign-code-refused': succeeds('wrong-codes', "another phone's code"),
  'used-code-refused': succeeds('wrong-codes', 'used code'),
  'superseded-code-refused': succeeds('superseded-code', 'superseded code'),
  'expired-code-refused': succeeds('expired-code', 'expired code'),
  'tries-limited': succeeds('guessed-codes', 'right code after many guesses'),
  'known-and-unknown-alike': ({ entries, exchanges }) => {
    const step = entries.find((entry) => entry.kind === 'step' && entry.label === 'code for an unknown phone');
    const asked = exchanges('client->auth').find(({ seq }) => seq > (step?.seq ?? 0));
    if (asked?.response) asked.response.body = '{"newUser":true}';
  },
  'exchange-token-known-to-ehr': fact((facts) => {
    facts.exchangeToken = '‹exchange-token 0›';
  }, SAVE_TOKEN),
  'exchange-token-ehr-first': call((exchange) => {
    exchange.endedAt += 1_000_000;
  }, SAVE_TOKEN),
  'exchange-token-new-each-time': sameValue('exchangeToken', 'exchangeToken'),
  'exchange-token-bound-to-asker': fact((facts) => {
    facts.token = '‹session-token 0›';
  }, SAVE_TOKEN),
  'ttl-as-given': fact((facts) => {
    facts.ttl = 5_000_000;
  }, SAVE_TOKEN),
  'session-tokens-unique': sameValue('confirmOtp', 'token'),
  'users-stable': sameValue('confirmOtp', 'user'),
  'exchange-token-entropy': weak('exchange-token'),
  'session-token-entropy': weak('session-token'),
  'link-recorded': unsaved,
  'call-is-post-json': call(({ request }) => {
    request.method = 'PUT';
  }),
  'call-path-has-version': call(({ response }) => Object.assign(response ?? {}, { status: 404 })),
  envelope: fact((facts) => {
    facts.jsonrpc = '1.0';
  }),
  'cred-present': fact((facts) => {
    delete facts.cred;
  }),
  'cred-user': digest({ length: 40, lowercaseHex: true, rightUser: false }),
  'digest-shape': digest({ length: 40, lowercaseHex: false, rightUser: true }),
  'exchange-token-digest': digest(undefined, SAVE_TOKEN),
  'user-sign-digest': digest({ length: 40, lowercaseHex: true, rightUser: true }, SAVE),
  'own-user-sign': call(({ facts }) => Object.assign(facts.digest?.over ?? {}, { owner: '‹user 0›' }), SAVE),
  'auth-info-complete': fact((facts) => Object.assign(facts.authInfo ?? {}, { ttl: 'string' })),
  'ttl-sane': fact((facts) => {
    facts.ttl = 0;
  }),
  'exchange-token-is-string': fact((facts) => {
    facts.params.exchangeToken = 'integer';
  }, SAVE_TOKEN),
  'no-internal-user-id': call(({ request }) => {
    request.body = '{"internalUserId":1}';
  }),
  'secrets-not-in-clear': call(({ facts }) => {
    facts.inClear = ['the internal password in the body'];
  }),
  'no-patient-data': call(({ facts }) => {
    facts.patientData = ['the surname in the request body, plain'];
  }),
  'only-internal-methods': fact((facts) => {
    facts.method = 'patient.get_patient';
  }),
  'calls-accepted': call(({ facts }) => {
    facts.reply = { result: false, code: -33000, reason: 'not_authorized' };
  }),
  'exchange-token-needs-session': succeeds('wrong-sessions', 'without a session'),
  'invented-session-refused': succeeds('wrong-sessions', 'with an invented token'),
  'mixed-session-refused': succeeds('wrong-sessions', "with another user's token"),
  'logged-out-session-refused': succeeds('logout', 'after the logout'),
  'logged-out-session-not-saved': succeeds('logout', 'report after the logout'),
  'deleted-session-refused': succeeds('deletion', 'after the deletion'),
  'deleted-user-forgotten': crashes('deletion', 'sign in anew'),
  'deleted-user-links-anew': crashes('deletion', 'link anew: report'),
  'missing-correspondence-told': succeeds('correspondence', 'report without an entry'),
  'duplicate-exchange-token-handled': succeeds('exchange-token-trouble', 'duplicate exchange token'),
  'duplicate-session-token-handled': ({ entries, exchanges, outcome }) => {
    const step = entries.find((entry) => entry.kind === 'step' && entry.label === 'returns with a duplicate token');
    const save = exchanges('auth->ehr', SAVE).find(({ seq, fault }) => seq > (step?.seq ?? 0) && fault === 'refuse');
    outcome('duplicate-token', 'returns with a duplicate token', done({ token: save?.facts.call?.token ?? '' }));
  },
  'no-redirect-followed': succeeds('redirect', 'while redirected'),
  'ids-differ': ({ exchanges }) => {
    const [one, two] = exchanges('auth->ehr') as [ExchangeEntry, ExchangeEntry];
    one.endedAt = two.at + 1;
    if (one.facts.call?.id !== undefined && two.facts.call) two.facts.call.id = one.facts.call.id;
  },
  'crowd-unharmed': crashes('crowd', 'crowd: get patient'),
};

function first(exchanges: readonly ExchangeEntry[]): ExchangeEntry {
  const [exchange] = exchanges;
  if (!exchange) throw new Error('The journal has no such call.');
  return exchange;
}
