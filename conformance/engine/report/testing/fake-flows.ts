/** For tests: exchanges of the interface as a foreign authorization server would make them. */
import type { ExchangeEntry, StepResult } from '../../journal/entry.ts';
import type { FakeJournal } from './fake-journal.ts';

const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';
const SAVE_AUTH_INFO = 'embedded_storage.save_auth_info';

/** A person in the fake run; their secrets are pseudonyms already. */
export type FakePerson = { name: string; number: number };

type FakeTrouble = {
  fault: NonNullable<ExchangeEntry['fault']>;
  broke?: ExchangeEntry['broke'];
  status?: number;
  reply?: unknown;
  took?: number;
};

const done = (values: Record<string, string> = {}): StepResult => ({ kind: 'done', values });

export class FakeFlows {
  readonly journal: FakeJournal;
  #ids = 0;

  constructor(journal: FakeJournal) {
    this.journal = journal;
  }

  signIn({ name, number }: FakePerson, label = 'sign in', { returning = false } = {}): number[] {
    const { journal } = this;
    const request = journal.step(
      { user: name, step: 'requestOtp', label: `${label}: request a code` },
      done(),
      () =>
        this.rest('/api/v1/otp', { phone: `‹phone ${number}›` }, { sent: true }, () =>
          journal.exchange('auth->sms', {
            path: '/messages',
            body: { to: `‹phone ${number}›`, text: `Your code is ‹code ${number}›` },
            reply: { ok: true },
            took: 2,
          }),
        ),
    );
    const session = { user: `‹user ${number}›`, token: `‹session-token ${number}›`, ttl: '1440' };
    const sent = { phone: `‹phone ${number}›`, code: `‹code ${number}›` };
    const confirm = journal.step({ user: name, step: 'confirmOtp', label }, done(session), () =>
      this.rest('/api/v1/otp/confirm', sent, { ...session, ttl: 1440 }, () => {
        if (returning) this.save({ name, number });
      }),
    );
    return [...request, ...confirm];
  }

  exchangeToken(
    { name, number }: FakePerson,
    label = 'exchange token',
    trouble?: FakeTrouble,
    result?: StepResult,
  ): number[] {
    const authInfo = { user: `‹user ${number}›`, token: `‹session-token ${number}›`, ttl: 1440 };
    const exchangeToken = `‹exchange-token ${number}›`;
    const status = result?.kind === 'failed' ? 500 : 200;
    return this.journal.step(
      {
        user: name,
        step: 'exchangeToken',
        label,
        defect: trouble && `the EHR server's fault: ${trouble.fault}`,
      },
      result ?? done({ exchangeToken }),
      () =>
        this.rest(
          '/api/v1/exchange-token',
          {},
          status === 500 ? { status, error: 'Internal Server Error' } : { exchangeToken },
          () => this.internal(SAVE_EXCHANGE_TOKEN, { exchangeToken, authInfo }, { number, trouble }),
          status,
        ),
    );
  }

  /** The whole link: exchange token, authenticate, report. */
  link(person: FakePerson): number[] {
    const { name, number } = person;
    const token = this.exchangeToken(person, 'link: exchange token');
    const userSign = `‹user-sign ${number}›`;
    const properties = { name: '‹patient data›', surname: '‹patient data›', phone: '‹patient data›' };
    const params = { exchangeToken: `‹exchange-token ${number}›`, patientProperties: properties };
    const reply = {
      patient: { id: '‹patient data›', name: '‹patient data›' },
      user_sign: userSign,
      userSign,
    };
    const link = this.journal.step(
      { user: name, step: 'authenticate', label: 'link: authenticate' },
      done({ userSign }),
      () => this.ehr('embedded_storage.authenticate', params, reply),
    );
    const report = this.journal.step({ user: name, step: 'reportLink', label: 'link: report' }, done(), () =>
      this.rest('/api/v1/links', { userSign }, { linked: true }, () => this.save(person)),
    );
    return [...token, ...link, ...report];
  }

  getPatient({ name, number }: FakePerson, label: string, known = true): number[] {
    return this.journal.step(
      { user: name, step: 'getPatient', label, defect: known ? undefined : 'the user is not linked yet' },
      known ? done() : { kind: 'refused', status: 200, code: '-33000', reason: 'not_authorized' },
      () =>
        this.ehr(
          'patient.get_patient',
          {},
          known ? { patient: { id: '‹patient data›' }, user_sign: `‹user-sign ${number}›` } : undefined,
        ),
    );
  }

  save({ number }: FakePerson, trouble?: FakeTrouble): number {
    const authInfo = { user: `‹user ${number}›`, token: `‹session-token ${number}›`, ttl: '86400' };
    return this.internal(SAVE_AUTH_INFO, { authInfo }, { number, trouble });
  }

  rest(path: string, body: unknown, reply: unknown, inner?: () => void, status = 200): number {
    return this.journal.exchange('client->auth', { path, body, reply, status, inner, took: 3 });
  }

  ehr(method: string, params: object, result: object | undefined): number {
    const id = String(++this.#ids);
    const error = { code: -33000, message: 'There is no such session.', data: { reason: 'not_authorized' } };
    const facts = result ? { result: true } : { result: false, code: -33000, reason: 'not_authorized' };
    return this.journal.exchange('client->ehr', {
      path: '/1.0-alpha/',
      body: { jsonrpc: '2.0', id, method, params },
      reply: { jsonrpc: '2.0', ...(result ? { result } : { error }), id },
      facts: { call: { method, idType: 'string', jsonrpc: '2.0', params: {} }, reply: facts },
    });
  }

  internal(
    method: string,
    params: object,
    { number, trouble }: { number: number; trouble?: FakeTrouble | undefined },
  ): number {
    const id = ++this.#ids;
    const reply = trouble
      ? trouble.reply
      : { jsonrpc: '2.0', result: { id: `‹opaque ${id}›` }, id: String(id) };
    const { fault, broke, status, took } = trouble ?? {};
    return this.journal.exchange('auth->ehr', {
      path: '/1.0-alpha/',
      body: { jsonrpc: '2.0', id, method, params, cred: { user: 'acme-auth', token: `‹digest ${number}›` } },
      reply,
      ...{ status, fault, broke, took: took ?? 6 },
      facts: {
        call: { method, idType: 'integer', jsonrpc: '2.0', params: {} },
        reply: reply !== undefined && !trouble ? { result: true } : undefined,
      },
    });
  }
}
