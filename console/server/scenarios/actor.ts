/** The client as the console plays it: calls both servers over the recorded wires, as one persona. */
import { type Persona, propertiesOf } from '#mis-fixtures/personas.ts';
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { digest } from '#protocol/wire/hashes.ts';
import type { ArmFault, HeldSession } from '../../api.ts';

/** How an actor reaches the parties, and what it does to the demo. */
export type ActorCalls = {
  /** Reaches all three addresses. */
  fetch: typeof fetch;
  /** Base URL of the authorization server, over its wire. */
  authUrl: string;
  /** The EHR endpoint, over its wire. */
  ehrEndpoint: string;
  /** The internal channel of the EHR server, over its wire, with what opens it. */
  internal: { endpoint: string; user: string; password: string };
  /** Base URL of the authorization server itself, for its outbox. */
  outboxUrl: string;
  advance: (ms: number) => Promise<void>;
  arm: (fault: ArmFault) => void;
};

type ActorJson = Record<string, unknown>;
type ActorCred = { user: string; token: string };

/** How a call ended. `reason` is absent for a result, and `no reply` when none came. */
export type ActorReply = { result: ActorJson; reason?: string };

/** A step did not end as the scenario says. */
class StepFailed extends Error {}

/** Longer than a server waits for another. */
const TIMEOUT_MS = 20_000;
const TEXT_WAIT_SECONDS = 5;
/** Lifetime in minutes of a session that an attacker saves. */
const STOLEN_TTL = 60;

export class Actor {
  readonly persona: Persona;
  readonly #calls: ActorCalls;
  #id = 0;
  #reportDue = false;
  #isLoggedOut = false;
  authInfo: HeldSession['session'] | undefined;
  exchangeToken: string | undefined;
  userSign: string | undefined;

  constructor(persona: Persona, calls: ActorCalls) {
    this.persona = persona;
    this.#calls = calls;
  }

  /** Another actor who holds the same. */
  copy(): Actor {
    const copy = new Actor(this.persona, this.#calls);
    copy.#id = this.#id;
    copy.#reportDue = this.#reportDue;
    copy.#isLoggedOut = this.#isLoggedOut;
    copy.authInfo = this.authInfo;
    copy.exchangeToken = this.exchangeToken;
    copy.userSign = this.userSign;
    return copy;
  }

  /** What another client needs to go on from here. Undefined: nobody is signed in. */
  held(): HeldSession | undefined {
    if (!this.authInfo || this.#isLoggedOut) return undefined;
    const { user, token, ttl } = this.authInfo;
    const sign = this.userSign === undefined ? {} : { userSign: this.userSign };
    return { phone: this.persona.signIn, session: { user, token, ttl }, ...sign, reportDue: this.#reportDue };
  }

  async requestCode(): Promise<string> {
    const { signIn: phone } = this.persona;
    const before = await this.#outbox('');
    await this.auth('auth.request_otp', { phone });
    const { texts } = await this.#outbox(`&after=${before.cursor}&wait=${TEXT_WAIT_SECONDS}`);
    if (!texts[0]) throw new StepFailed('No code came.');
    return texts[0].code;
  }

  /** Confirms the phone. Returns whether the session is linked already. */
  async confirm(code: string): Promise<boolean> {
    const sign = this.userSign === undefined ? {} : { ehr_user_sign: this.userSign };
    const result = await this.auth('auth.confirm_otp', { phone: this.persona.signIn, code, ...sign });
    this.authInfo = result.authInfo as HeldSession['session'];
    this.#reportDue = false;
    this.#isLoggedOut = false;
    return result.linked === true;
  }

  async signIn(): Promise<boolean> {
    return this.confirm(await this.requestCode());
  }

  async takeExchangeToken(): Promise<void> {
    const { exchangeToken } = await this.auth('auth.exchange_token');
    this.exchangeToken = String(exchangeToken);
  }

  /** Identifies as the person number `which` of the persona. */
  async authenticate(which = 0): Promise<void> {
    this.#keepSign(await this.ehr('embedded_storage.authenticate', this.identification(which)));
    this.#reportDue = true;
  }

  /** @throws StepFailed without an exchange token: no client identifies a patient without one */
  identification(which = 0): ActorJson {
    if (this.exchangeToken === undefined)
      throw new StepFailed('There is no exchange token to identify with.');
    return { exchangeToken: this.exchangeToken, patientProperties: propertiesOf(this.persona, which) };
  }

  /** @throws StepFailed without a signature: there is no link to report */
  async reportLink(): Promise<void> {
    if (this.userSign === undefined) throw new StepFailed('There is no link to report.');
    await this.auth('auth.report_link', { user_sign: this.userSign });
    this.#reportDue = false;
  }

  async readRecord(): Promise<void> {
    this.#keepSign(await this.ehr(READ));
  }

  /** Keeps what it held: a call with it can still be made, in vain. */
  async logOut(): Promise<void> {
    await this.auth('auth.logout');
    this.#isLoggedOut = true;
  }

  advance(ms: number): Promise<void> {
    return this.#calls.advance(ms);
  }

  arm(fault: ArmFault): void {
    this.#calls.arm(fault);
  }

  /** @throws StepFailed unless the call has a result */
  async auth(method: string, params: ActorJson = {}): Promise<ActorJson> {
    return resultOf(method, await this.#call(this.#calls.authUrl, method, params));
  }

  /** @throws StepFailed unless the call has a result */
  async ehr(method: string, params: ActorJson = {}): Promise<ActorJson> {
    return resultOf(method, await this.#call(this.#calls.ehrEndpoint, method, params));
  }

  /** @throws StepFailed unless the call is refused for this reason */
  async refused(
    reason: string,
    server: 'auth' | 'ehr',
    method: string,
    params: ActorJson = {},
  ): Promise<void> {
    const url = server === 'auth' ? this.#calls.authUrl : this.#calls.ehrEndpoint;
    expectEnd(method, await this.#call(url, method, params), reason);
  }

  /** Saves a session in the name of the user, as somebody does who took over the authorization server. */
  async stolenSave(secret: string, reason?: string): Promise<void> {
    const { endpoint, user, password } = this.#calls.internal;
    const cred = { user, token: digest(password, secret) };
    const params = { authInfo: { ...this.#stolen(), ttl: STOLEN_TTL } };
    expectEnd(SAVE, await this.#call(endpoint, SAVE, params, cred), reason);
  }

  /** Reads the record with that session. */
  async stolenRead(reason?: string): Promise<void> {
    expectEnd(READ, await this.#call(this.#calls.ehrEndpoint, READ, {}, this.#stolen()), reason);
  }

  #stolen(): ActorCred {
    return { user: this.authInfo?.user ?? '', token: 'token-of-the-attacker' };
  }

  #ownCred(method: string): ActorCred | undefined {
    if (CALLS_WITHOUT_CRED.has(method) || !this.authInfo) return undefined;
    return { user: this.authInfo.user, token: this.authInfo.token };
  }

  async #call(
    url: string,
    method: string,
    params: ActorJson,
    cred = this.#ownCred(method),
  ): Promise<ActorReply> {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: String(++this.#id),
      method,
      params,
      ...(cred && { cred }),
    });
    try {
      const response = await this.#calls.fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const reply: unknown = await response.json();
      if (isObject(reply) && isObject(reply.result)) return { result: reply.result };
      const error = membersOf(membersOf(reply).error);
      const data = membersOf(error.data);
      return { result: {}, reason: String(data.reason ?? error.code ?? `HTTP ${response.status}`) };
    } catch {
      // The connection broke, or the answer is no JSON: a fault on the wire may be armed.
      return { result: {}, reason: 'no reply' };
    }
  }

  #keepSign({ user_sign }: ActorJson): void {
    if (typeof user_sign === 'string') this.userSign = user_sign;
  }

  async #outbox(more: string): Promise<{ cursor: string; texts: { code: string }[] }> {
    const url = `${this.#calls.outboxUrl}/outbox?to=${encodeURIComponent(this.persona.signIn)}${more}`;
    const response = await this.#calls.fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const cursor = response.headers.get('Outbox-Cursor') ?? '0';
    return { cursor, texts: (await response.json()) as { code: string }[] };
  }
}

const SAVE = 'embedded_storage.save_auth_info';
const READ = 'patient.get_patient';
const CALLS_WITHOUT_CRED = new Set(['auth.request_otp', 'auth.confirm_otp', 'embedded_storage.authenticate']);

function resultOf(method: string, { result, reason }: ActorReply): ActorJson {
  if (reason !== undefined) throw new StepFailed(`${method} should succeed, and had ${reason}.`);
  return result;
}

/** @throws StepFailed unless the call ended so; without a reason, with a result */
function expectEnd(method: string, { reason }: ActorReply, expected?: string): void {
  if (reason !== expected)
    throw new StepFailed(
      `${method} should end with ${expected ?? 'a result'}, and had ${reason ?? 'a result'}.`,
    );
}
