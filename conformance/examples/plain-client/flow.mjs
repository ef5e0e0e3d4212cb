/**
 * What the client does when a person asks for something: which server it calls, and in which order (§1, §4).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { call, Refused } from './rpc.mjs';
import { explain } from './texts.mjs';

/** Ends a session at the EHR server (§4.5). */
const LOGOUT = 'embedded_storage.remove_auth_info';
/** Ends the link of a user at the EHR server (§4.6). */
const DISCONNECT = 'embedded_storage.remove_authentication';
/**
 * Error codes that mean: there is no session, or it has expired (§7). From `authenticate` they mean that the
 * exchange token does not work.
 */
const NOT_AUTHENTICATED = [-33000, -33001, -33002];
/** Actions that need a session. */
const OF_USERS = ['readPatient', 'fillForm', 'logout', 'disconnect', 'deleteAccount'];
const ACTIONS = ['signIn', 'resend', 'enterCode', 'restart', ...OF_USERS];
const SIGNED_OUT = { sees: 'signedOut', text: 'Please sign in with your phone number.' };

/**
 * The client of one person. Each action is a method; its answer says which screen the person `sees`, and the
 * text on it.
 */
export class Client {
  constructor({ auth, ehr, 'api-version': version, storage }) {
    Object.assign(this, { authUrl: auth, ehrUrl: `${ehr.replace(/\/$/, '')}/${version}/`, file: storage });
    const kept = existsSync(storage ?? '') ? JSON.parse(readFileSync(storage, 'utf8')) : {};
    /** What survives a restart: the session, and for each phone the signature of its user (§1 rule 9). */
    this.storage = { session: undefined, signatures: {}, ...kept };
    this.forgetMemory();
  }

  /**
   * Carries out an action of a person. Whatever a server answers becomes a sentence that says what to do
   * next.
   */
  async act(action) {
    if (!ACTIONS.includes(action.do)) return { sees: 'error', text: `You can ${ACTIONS.join(', ')}.` };
    if (OF_USERS.includes(action.do) && !this.storage.session) return SIGNED_OUT;
    try {
      return await this[action.do](action);
    } catch (error) {
      if (error.code === 'signed_out') this.forgetSession();
      // Any other error comes from a result without the members of the interface, which is no usable answer.
      return explain(error instanceof Refused ? error : { code: 'no_answer' }, this.isFormOpen);
    }
  }

  /**
   * §1 rule 8: the authorization server confirms the phone by a code. Another user who is signed in is logged
   * out.
   */
  async signIn({ phone }) {
    if (this.storage.session) await this.logout();
    this.phone = digitsOf(phone);
    return this.resend();
  }

  /** Asks for a code, for the first time or again. */
  async resend() {
    if (!this.phone) return SIGNED_OUT;
    await this.auth('auth.request_otp', { phone: this.phone });
    return { sees: 'code', text: `A code was sent to ${this.phone}. Please enter it.` };
  }

  /**
   * §1 rule 1: signs in. Sends the signature of an earlier link, so that no form is needed again (rule 7).
   */
  async enterCode({ code }) {
    const { phone } = this;
    if (!phone) return SIGNED_OUT;
    const userSign = this.storage.signatures[phone];
    const { authInfo, linked } = await this.confirm(phone, code, userSign);
    this.forgetMemory();
    this.storage.session = { phone, user: authInfo.user, token: authInfo.token };
    // `linked: false` means that the record was disconnected elsewhere. The signature does not work any more.
    const isStale = userSign !== undefined && linked === false;
    if (isStale) delete this.storage.signatures[phone];
    this.save();
    return this.readPatient({ note: isStale ? 'Your record was disconnected elsewhere. ' : '' });
  }

  confirm = (phone, code, userSign) =>
    this.auth('auth.confirm_otp', { phone, code, ...(userSign && { ehr_user_sign: userSign }) });

  /** §1 rules 2 and 3: shows the record. Shows the form only when the EHR server does not know the user. */
  async readPatient({ note = '' } = {}) {
    if (!this.storage.session) return SIGNED_OUT;
    try {
      return await this.show(await this.ehr('patient.get_patient', {}));
    } catch (error) {
      if (!NOT_AUTHENTICATED.includes(error.code)) throw error;
      this.isFormOpen = true;
      return { sees: 'form', text: `${note}Please tell us who you are, to see your record.` };
    }
  }

  /** §1 rule 5: sends the form to the EHR server, and to nobody else (rule 3). */
  async fillForm({ values }) {
    if (!this.isFormOpen)
      return { sees: 'error', text: 'There is no form to fill in. Read the record first.' };
    const missing = ['name', 'surname', 'date', 'phone'].filter((member) => !values[member]);
    if (missing.length > 0) return { sees: 'form', text: `Please fill in ${missing.join(', ')}.` };
    const { name, surname, gender, medCardId } = values;
    // §2.5 has the time of day in its format. A date of birth has none.
    const patientProperties = {
      name,
      surname,
      date: `${values.date} 00:00:00.000`,
      phone: digitsOf(values.phone),
    };
    if (gender !== undefined) patientProperties.gender = gender;
    const search = medCardId ? { searchStrategy: 'MEDCARD', medCardId } : {};
    const result = await this.authenticate({ patientProperties, ...search });
    Object.assign(this.storage.session, { endedBy: undefined, isUnreported: true });
    return this.show(result);
  }

  /**
   * §4.3: sends the search for the patient. When the exchange token has expired on the way, tries once more
   * with a new one.
   */
  async authenticate(params, isAgain = false) {
    const exchangeToken = await this.exchangeToken();
    try {
      // §5.4: the call has no `cred`, since the exchange token says whose it is.
      return await this.ehr('embedded_storage.authenticate', { exchangeToken, ...params }, null);
    } catch (error) {
      // The server may have made the link, and the answer was lost: the link is reported with the record.
      if (error.code === 'no_answer') this.storage.session.isUnreported = true;
      if (isAgain || !NOT_AUTHENTICATED.includes(error.code)) throw error;
      return this.authenticate(params, true);
    }
  }

  /** §1 rule 4: asks the authorization server for an exchange token. */
  async exchangeToken() {
    const { exchangeToken } = await this.auth('auth.exchange_token', {}, this.storage.session);
    if (!exchangeToken) throw new Refused('no_answer');
    return exchangeToken;
  }

  /**
   * Shows the record. Keeps the signature for the next sign-in, and reports a new link until the report has
   * succeeded (§1 rule 6). The interface calls the signature `user_sign`, the public client SDK `userSign`: a
   * server may send either.
   */
  async show({ patient, user_sign, userSign = user_sign }) {
    const { session, signatures } = this.storage;
    if (!patient || !userSign) throw new Refused('no_answer');
    signatures[session.phone] = userSign;
    this.isFormOpen = false;
    const note = session.isUnreported ? await this.report(userSign) : '';
    this.save();
    return { sees: 'patient', text: `The record of ${patient.name} ${patient.surname}.${note}`, patient };
  }

  /**
   * Reports a new link to the authorization server. Returns a sentence for the person; `''` after a success.
   */
  async report(userSign) {
    const { session } = this.storage;
    const refused = await failureOf(this.auth('auth.report_link', { user_sign: userSign }, session));
    session.isUnreported = refused !== undefined;
    // The record can be read even when the report failed.
    return refused ? ' The sign-in service could not be told yet.' : '';
  }

  /** §4.5: logs out. §4.6: a deletion ends the link, and the account at the authorization server. */
  logout = () => this.leave(LOGOUT, 'auth.logout', 'You are signed out.');
  deleteAccount = () => this.leave(DISCONNECT, 'auth.delete_user', 'Your account is deleted.');

  /** §4.6: ends the link. The user stays signed in at the authorization server. */
  async disconnect() {
    await this.endAtEhr(DISCONNECT);
    return this.readPatient({ note: 'Your record is disconnected. ' });
  }

  /**
   * §4.5, §4.6: calls the EHR server, unless an earlier attempt has done so, and after its success the
   * authorization server.
   */
  async leave(ehrMethod, authMethod, text) {
    const { session } = this.storage;
    // The end of a link has ended its sessions, too: after it a logout has nothing left to end there.
    if (![ehrMethod, DISCONNECT].includes(session.endedBy)) await this.endAtEhr(ehrMethod);
    const refused = await failureOf(this.auth(authMethod, {}, session));
    if (refused && refused.code !== 'signed_out') throw refused;
    this.forgetSession();
    return { sees: 'signedOut', text };
  }

  /** Ends the session or the link at the EHR server, and remembers that. */
  async endAtEhr(method) {
    const { session, signatures } = this.storage;
    const refused = await failureOf(this.ehr(method, {}, session));
    if (refused && !NOT_AUTHENTICATED.includes(refused.code)) throw refused;
    session.endedBy = method;
    if (!refused && method === DISCONNECT) delete signatures[session.phone];
    this.save();
    // The person reads this. `leave` then goes on at the authorization server.
    if (refused) throw new Refused('nothing_to_end');
  }

  forgetMemory = () => Object.assign(this, { phone: undefined, isFormOpen: false });
  restart = () => this.forgetMemory().readPatient();
  save = () => this.file && writeFileSync(this.file, JSON.stringify(this.storage), { mode: 0o600 });

  forgetSession() {
    this.storage.session = undefined;
    this.forgetMemory().save();
  }

  // Calls a method of the EHR server, or of the authorization server.
  ehr = (method, params, session = this.storage.session) => call(this.ehrUrl, method, params, session);
  auth = (method, params, session) =>
    call(this.authUrl, method, params, session).catch((error) => {
      throw session && NOT_AUTHENTICATED.includes(error.code) ? new Refused('signed_out') : error;
    });
}

/** Resolves to the error of a call; to `undefined` after its success. */
const failureOf = (promise) => promise.then(() => undefined).catch((error) => error);

/** §2.5: the digits of a phone number, without an extension. */
const digitsOf = (phone) => phone.replace(/(x|ext).*$/i, '').replace(/\D/g, '');
