/**
 * For tests of the reports: writes into an invented journal what people do at an invented authorization
 * server with a REST interface, and the messages of that.
 */
import type { StepEntry, StepResult } from '../../journal/entry.ts';
import type { FakeExchange, FakeJournal } from './fake-journal.ts';

export type FakePerson = { name: string; number: number };

/** What went wrong with a message: an injected fault, and what came of it. */
type FakeTrouble = Pick<FakeExchange, 'fault' | 'broke' | 'status' | 'reply' | 'took'>;

const done = (values: Record<string, string> = {}): StepResult => ({ kind: 'done', values });
const sessionOf = (number: number) => ({ user: `‹user ${number}›`, token: `‹session-token ${number}›` });

/**
 * Plays what people do. Each method adds its steps or messages to the journal, and returns the `seq` of what
 * it added.
 */
export class FakeFlows {
  readonly journal: FakeJournal;
  #ids = 0;

  constructor(journal: FakeJournal) {
    this.journal = journal;
  }

  step(user: string, step: StepEntry['step'], label: string, during: () => void, values = {}): number[] {
    return this.journal.step({ user, step, label }, done(values), during);
  }

  /**
   * A sign-in by SMS code. A `returning` user is linked, so the server saves the session at the EHR server.
   */
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

  getPatient({ name, number }: FakePerson, label: string, known = true): number[] {
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

  /**
   * A call of the client to the authorization server. `inner` adds the calls that the server makes to answer.
   */
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
