/** The client application as a script, for tests that need no browser. */
import type { Cred } from '#protocol/methods/method-spec.ts';
import { resultOf } from './wire.ts';
import type { World } from './worlds/world.ts';

export type TypedProperties = Record<string, unknown>;

/** The parts of a world that the client needs: ways to call both servers, and the simulated SMS. */
export type ScriptedServers = Pick<World, 'toEhr' | 'toAuth' | 'auth'>;

export class ScriptedClient {
  readonly #world: ScriptedServers;
  readonly attribute: { phone: string } | { email: string };
  /** Stored from an earlier link and sent with the next sign-in (§1 rule 9). */
  userSign: string | undefined;
  authInfo: { user: string; token: string; ttl: number } | undefined;

  constructor(world: ScriptedServers, phoneOrEmail: string) {
    this.#world = world;
    this.attribute = phoneOrEmail.includes('@') ? { email: phoneOrEmail } : { phone: phoneOrEmail };
  }

  get cred(): Cred {
    if (!this.authInfo) throw new Error('This client has not signed in.');
    return { user: this.authInfo.user, token: this.authInfo.token };
  }

  async requestCode(): Promise<string> {
    resultOf(await this.#world.toAuth('auth.request_otp', this.attribute));
    const message = this.#world.auth.latestMessage(Object.values(this.attribute)[0] as string);
    if (!message) throw new Error('No message came.');
    return message.code;
  }

  confirm(code: string) {
    const sign = this.userSign === undefined ? {} : { ehr_user_sign: this.userSign };
    return this.#world.toAuth('auth.confirm_otp', { ...this.attribute, code, ...sign });
  }

  /** Signs in with a fresh code. Returns whether the session is already linked. */
  async signIn(): Promise<{ linked: boolean }> {
    const { authInfo, linked } = resultOf(await this.confirm(await this.requestCode()));
    this.authInfo = authInfo;
    return { linked };
  }

  getPatient() {
    return this.#world.toEhr('patient.get_patient', {}, this.cred);
  }

  exchangeToken() {
    return this.#world.toAuth('auth.exchange_token', {}, this.cred);
  }

  authenticate(exchangeToken: string, patientProperties: TypedProperties) {
    return this.#world.toEhr('embedded_storage.authenticate', { exchangeToken, patientProperties });
  }

  reportLink() {
    return this.#world.toAuth('auth.report_link', { user_sign: this.userSign }, this.cred);
  }

  /** Requests an exchange token and authenticates with it. Stores the signature of a success. */
  async link(patientProperties: TypedProperties) {
    const { exchangeToken } = resultOf(await this.exchangeToken());
    const reply = await this.authenticate(exchangeToken, patientProperties);
    if (reply.result) this.userSign = reply.result.userSign;
    return reply;
  }

  /** Performs the whole first link: sign in, link, report. */
  async connect(patientProperties: TypedProperties): Promise<this> {
    await this.signIn();
    resultOf(await this.link(patientProperties));
    resultOf(await this.reportLink());
    return this;
  }

  removeAuthInfo() {
    return this.#world.toEhr('embedded_storage.remove_auth_info', {}, this.cred);
  }

  removeAuthentication() {
    return this.#world.toEhr('embedded_storage.remove_authentication', {}, this.cred);
  }

  logoutAtAuth() {
    return this.#world.toAuth('auth.logout', {}, this.cred);
  }

  deleteUserAtAuth() {
    return this.#world.toAuth('auth.delete_user', {}, this.cred);
  }
}
