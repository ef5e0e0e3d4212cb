/**
 * For tests of the reports: writes an invented journal as a run does, and what people do at an invented
 * authorization server with a REST interface. Its clock moves by a few milliseconds at each entry.
 */
import type {
  Entry,
  ExchangeEntry,
  Link,
  ScenarioEntry,
  StepEntry,
  StepResult,
} from '../../journal/entry.ts';

/** A message and its answer. Without `reply` there was no answer. A `body` is written as JSON. */
type FakeExchange = {
  body?: unknown;
  reply?: unknown;
  status?: number | undefined;
  path?: string;
  /** Milliseconds until the answer. */
  took?: number | undefined;
  /** Adds the calls that the called party makes before it answers. */
  inner?: (() => void) | undefined;
} & Partial<Pick<ExchangeEntry, 'facts' | 'fault' | 'broke'>>;

type FakeStep = Pick<StepEntry, 'user' | 'step' | 'label' | 'defect'>;

/** A journal that grows by the calls of its methods. */
export class FakeJournal {
  readonly entries: Entry[] = [];
  #seq = 0;
  #at = 0;
  #scenario = '';

  /** Adds a scenario and what `play` adds. With `end: false` the run was broken off in it. */
  scenario(
    scenario: string,
    play: () => void,
    { end = true, ...how }: Pick<ScenarioEntry, 'stopped' | 'absent'> & { end?: boolean } = {},
  ): void {
    this.#scenario = scenario;
    this.entries.push({ kind: 'scenario', scenario, phase: 'begin', ...this.#now(3) });
    play();
    if (end) this.entries.push({ kind: 'scenario', scenario, phase: 'end', ...how, ...this.#now(2) });
  }

  /** Adds a step, what `during` adds, and the result of the step. Returns the `seq` of everything. */
  step(step: FakeStep, result: StepResult, during?: () => void): number[] {
    const { seq: first, at } = this.unended(step);
    during?.();
    const end = this.#now(0);
    const about = { kind: 'outcome', scenario: this.#scenario, step: first, took: end.at - at } as const;
    this.entries.push({ ...about, result, ...end });
    return Array.from({ length: this.#seq - first + 1 }, (_, index) => first + index);
  }

  note(text: string): void {
    this.entries.push({ kind: 'note', scenario: this.#scenario, text, ...this.#now(1) });
  }

  unended(step: FakeStep): { seq: number; at: number } {
    const begin = this.#now(4);
    this.entries.push({ kind: 'step', scenario: this.#scenario, ...step, ...begin });
    return begin;
  }

  exchange(
    link: Link,
    { body, reply, status = 200, path = '/', facts = {}, fault, broke, took = 4, inner }: FakeExchange,
  ): number {
    const { seq, at } = this.#now(1);
    // An exchange stands where it began, before the exchanges that began and ended within it.
    const place = this.entries.length;
    inner?.();
    this.#at += took;
    const request = { httpVersion: '1.1', method: 'POST', path, headers: HEADERS[link], body: textOf(body) };
    const response = reply === undefined ? undefined : { status, headers: REPLY, body: textOf(reply) };
    const about = { seq, at, endedAt: this.#at, scenario: this.#scenario || undefined, link };
    this.entries.splice(place, 0, { kind: 'exchange', ...about, request, response, fault, broke, facts });
    return seq;
  }

  /** The next `seq`, and the time after a pause in milliseconds. */
  #now(pause: number): { seq: number; at: number } {
    this.#at += pause;
    return { seq: ++this.#seq, at: this.#at };
  }
}

const HEADERS: Readonly<Record<Link, [string, string][]>> = {
  'client->auth': Object.entries({ host: '127.0.0.1:4200', 'user-agent': 'embedded-ehr-conformance/0.1.0' }),
  'client->ehr': Object.entries({ host: '127.0.0.1:4101', 'content-type': 'application/json' }),
  'auth->ehr': Object.entries({ host: '127.0.0.1:4102', 'User-Agent': 'acme-auth/7.2 (okhttp 4.12)' }),
  'auth->sms': Object.entries({ host: '127.0.0.1:4103', authorization: '‹removed, 44 characters›' }),
};
const REPLY = Object.entries({ 'content-type': 'application/json' });

const textOf = (body: unknown) => (body === undefined ? '' : JSON.stringify(body));

type FakePerson = { name: string; number: number };

/** What went wrong with a message: an injected fault, and what came of it. */
type FakeTrouble = Pick<FakeExchange, 'fault' | 'broke' | 'status' | 'reply' | 'took'>;

const done = (values: Record<string, string> = {}): StepResult => ({ kind: 'done', values });
const sessionOf = (number: number) => ({ user: `‹user ${number}›`, token: `‹session-token ${number}›` });

/** Plays what people do. Each method returns the `seq` of what it added to the journal. */
export class FakeFlows {
  readonly journal: FakeJournal;
  #ids = 0;

  constructor(journal: FakeJournal) {
    this.journal = journal;
  }

  step(user: string, step: StepEntry['step'], label: string, during: () => void, values = {}): number[] {
    return this.journal.step({ user, step, label }, done(values), during);
  }

  /** A sign-in by SMS code. The session of a `returning` user is saved at the EHR server. */
  signIn({ name, number }: FakePerson, label = 'sign in', { returning = false } = {}): number[] {
    const [phone, code] = [`‹phone ${number}›`, `‹code ${number}›`];
    const sms = { path: '/messages', body: { to: phone, text: `Your code is ${code}` }, reply: { ok: true } };
    const request = () =>
      this.rest('/otp', { phone }, { sent: true }, () => this.journal.exchange('auth->sms', sms));
    const session = { ...sessionOf(number), ttl: '1440' };
    const confirm = () =>
      this.rest('/otp/confirm', { phone, code }, { ...session, ttl: 1440 }, () => {
        if (returning) this.save(number);
      });
    return [
      ...this.step(name, 'requestOtp', `${label}: request a code`, request),
      ...this.step(name, 'confirmOtp', label, confirm, session),
    ];
  }

  /** A request for an exchange token, where the call to the EHR server may meet trouble. */
  exchangeToken(
    { name, number }: FakePerson,
    label = 'exchange token',
    trouble?: FakeTrouble,
    result?: StepResult,
  ): number[] {
    const exchangeToken = `‹exchange-token ${number}›`;
    const params = { exchangeToken, authInfo: { ...sessionOf(number), ttl: 1440 } };
    const failed = { status: 500, error: 'Internal Server Error' };
    const inner = () => this.internal('save_exchange_token', params, number, trouble);
    const defect = trouble && `the EHR server's fault: ${trouble.fault}`;
    return this.journal.step(
      { user: name, step: 'exchangeToken', label, defect },
      result ?? done({ exchangeToken }),
      () =>
        result?.kind === 'failed'
          ? this.rest('/exchange-token', {}, failed, inner, 500)
          : this.rest('/exchange-token', {}, { exchangeToken }, inner),
    );
  }

  /** A whole link: exchange token, `authenticate`, and the report to the authorization server. */
  link(person: FakePerson): number[] {
    const { name, number } = person;
    const userSign = `‹user-sign ${number}›`;
    const patient = { name: '‹patient data›', surname: '‹patient data›' };
    const params = { exchangeToken: `‹exchange-token ${number}›`, patientProperties: patient };
    const authenticate = () =>
      this.ehr('embedded_storage.authenticate', params, { patient, user_sign: userSign, userSign });
    const report = () => this.rest('/links', { userSign }, { linked: true }, () => this.save(number));
    return [
      ...this.exchangeToken(person, 'link: exchange token'),
      ...this.step(name, 'authenticate', 'link: authenticate', authenticate, { userSign }),
      ...this.step(name, 'reportLink', 'link: report', report),
    ];
  }

  getPatient({ name, number }: FakePerson, label: string, { known = true } = {}): number[] {
    const result = known ? { patient: {}, user_sign: `‹user-sign ${number}›` } : undefined;
    return this.journal.step(
      { user: name, step: 'getPatient', label, defect: known ? undefined : 'the user is not linked yet' },
      known ? done() : { kind: 'refused', status: 200, code: '-33000', reason: 'not_authorized' },
      () => this.ehr('patient.get_patient', {}, result),
    );
  }

  save(number: number): number {
    return this.internal('save_auth_info', { authInfo: { ...sessionOf(number), ttl: '86400' } }, number);
  }

  /** A call of the client to the authorization server, which makes the calls of `inner` to answer. */
  rest(path: string, body: unknown, reply: unknown, inner?: () => void, status = 200): number {
    return this.journal.exchange('client->auth', { path: `/api/v1${path}`, body, reply, status, inner });
  }

  ehr(method: string, params: object, result: object | undefined): number {
    const refused = { code: -33000, reason: 'not_authorized' };
    const reply = result ? { result } : { error: { ...refused, message: 'There is no such session.' } };
    return this.journal.exchange('client->ehr', {
      path: '/1.0-alpha/',
      body: { jsonrpc: '2.0', id: String(++this.#ids), method, params },
      reply: { jsonrpc: '2.0', ...reply, id: String(this.#ids) },
      facts: { call: callOf(method), reply: result ? { result: true } : { result: false, ...refused } },
    });
  }

  internal(name: string, params: object, number: number, trouble?: FakeTrouble): number {
    const method = `embedded_storage.${name}`;
    const cred = { user: 'acme-auth', token: `‹digest ${number}›` };
    const id = ++this.#ids;
    return this.journal.exchange('auth->ehr', {
      path: '/1.0-alpha/',
      body: { jsonrpc: '2.0', id, method, params, cred },
      ...(trouble ?? { reply: { jsonrpc: '2.0', result: { id: `‹opaque ${id}›` }, id: String(id) } }),
      facts: { call: callOf(method), reply: trouble ? undefined : { result: true } },
    });
  }
}

const callOf = (method: string) => ({ method, idType: 'string', jsonrpc: '2.0', params: {} });
