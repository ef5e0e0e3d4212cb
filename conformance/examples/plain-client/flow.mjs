/** What the client does for each thing that a person asks for: which server it calls, and when (§1, §4). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { call, Refused } from './rpc.mjs';
import { explain } from './texts.mjs';

const LOGOUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';
/** There is no session, or it has run out (§7); from `authenticate`: the exchange token leads nowhere. */
const NOT_AUTHENTICATED = [-33000, -33001, -33002];
const OF_USERS = ['readPatient', 'fillForm', 'logout', 'disconnect', 'deleteAccount'];
const ACTIONS = ['signIn', 'resend', 'enterCode', 'restart', ...OF_USERS];
const SIGNED_OUT = { sees: 'signedOut', text: 'Please sign in with your phone number.' };

export class Client {
  constructor({ auth, ehr, 'api-version': version, storage }) {
    Object.assign(this, { authUrl: auth, ehrUrl: `${ehr.replace(/\/$/, '')}/${version}/`, file: storage });
    const kept = existsSync(storage ?? '') ? JSON.parse(readFileSync(storage, 'utf8')) : {};
    /** What survives a restart: the session, and for each phone the signature of its user (§1 rule 9). */
    this.storage = { session: undefined, signatures: {}, ...kept };
    this.forgetMemory();
  }

  /** Does what a person asks for. Whatever a server answers becomes a sentence with a way on. */
  async act(action) {
    if (!ACTIONS.includes(action.do)) return { sees: 'error', text: `You can ${ACTIONS.join(', ')}.` };
    if (OF_USERS.includes(action.do) && !this.storage.session) return SIGNED_OUT;
    try {
      return await this[action.do](action);
    } catch (error) {
      if (error.code === 'signed_out') this.forgetSession();
      // A result of another shape than the interface shows is no answer that helps.
      return explain(error instanceof Refused ? error : { code: 'no_answer' }, this.isFormOpen);
    }
  }

  /** §1 rule 8: the phone is confirmed at the authorization server, by a code. A former user leaves. */
  async signIn({ phone }) {
    if (this.storage.session) await this.logout();
    this.phone = digitsOf(phone);
    return this.resend();
  }

  async resend() {
    if (!this.phone) return SIGNED_OUT;
    await this.auth('auth.request_otp', { phone: this.phone });
    return { sees: 'code', text: `A code was sent to ${this.phone}. Please enter it.` };
  }

  /** §1 rule 1. The signature of an earlier link goes along: with it no form is needed again (rule 7). */
  async enterCode({ code }) {
    const { phone } = this;
    if (!phone) return SIGNED_OUT;
    const userSign = this.storage.signatures[phone];
    const { authInfo, linked } = await this.confirm(phone, code, userSign);
    this.forgetMemory();
    this.storage.session = { phone, user: authInfo.user, token: authInfo.token };
    // The record was disconnected elsewhere: the signature opens nothing any more.
    const isStale = userSign !== undefined && linked === false;
    if (isStale) delete this.storage.signatures[phone];
    this.save();
    return this.readPatient({ note: isStale ? 'Your record was disconnected elsewhere. ' : '' });
  }

  confirm = (phone, code, userSign) =>
    this.auth('auth.confirm_otp', { phone, code, ...(userSign && { ehr_user_sign: userSign }) });

  /** §1 rules 2 and 3: the record; or the form, when the EHR server does not know the user and only then. */
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

  /** §1 rule 5. What the form collected goes straight to the EHR server, and to nobody else (rule 3). */
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

  /** §4.3. An exchange token that has run out on the way is replaced, once. */
  async authenticate(params, isAgain = false) {
    const exchangeToken = await this.exchangeToken();
    try {
      // §5.4: the exchange token says for whom it is.
      return await this.ehr('embedded_storage.authenticate', { exchangeToken, ...params }, null);
    } catch (error) {
      // The link may be there all the same: it is reported when the record shows it.
      if (error.code === 'no_answer') this.storage.session.isUnreported = true;
      if (isAgain || !NOT_AUTHENTICATED.includes(error.code)) throw error;
      return this.authenticate(params, true);
    }
  }

  /** §1 rule 4. */
  async exchangeToken() {
    const { exchangeToken } = await this.auth('auth.exchange_token', {}, this.storage.session);
    if (!exchangeToken) throw new Refused('no_answer');
    return exchangeToken;
  }

  /** Keeps the signature for the next sign-in, and reports a new link until that has worked (§1 rule 6). */
  async show({ patient, user_sign, userSign = user_sign }) {
    const { session, signatures } = this.storage;
    if (!patient || !userSign) throw new Refused('no_answer');
    signatures[session.phone] = userSign;
    this.isFormOpen = false;
    const note = session.isUnreported ? await this.report(userSign) : '';
    this.save();
    return { sees: 'patient', text: `The record of ${patient.name} ${patient.surname}.${note}`, patient };
  }

  async report(userSign) {
    const { session } = this.storage;
    const refused = await failureOf(this.auth('auth.report_link', { user_sign: userSign }, session));
    session.isUnreported = refused !== undefined;
    // The record can be read all the same.
    return refused ? ' The sign-in service could not be told yet.' : '';
  }

  /** §4.5; and §4.6 together with the deletion at the authorization server. */
  logout = () => this.leave(LOGOUT, 'auth.logout', 'You are signed out.');
  deleteAccount = () => this.leave(DISCONNECT, 'auth.delete_user', 'Your account is deleted.');

  /** §4.6, alone: the user stays signed in at the authorization server. */
  async disconnect() {
    await this.endAtEhr(DISCONNECT);
    return this.readPatient({ note: 'Your record is disconnected. ' });
  }

  /** §4.5, §4.6: the EHR server first, unless it is done there; the other one after its success. */
  async leave(ehrMethod, authMethod, text) {
    const { session } = this.storage;
    if (![ehrMethod, DISCONNECT].includes(session.endedBy)) await this.endAtEhr(ehrMethod);
    const refused = await failureOf(this.auth(authMethod, {}, session));
    if (refused && refused.code !== 'signed_out') throw refused;
    this.forgetSession();
    return { sees: 'signedOut', text };
  }

  async endAtEhr(method) {
    const { session, signatures } = this.storage;
    const refused = await failureOf(this.ehr(method, {}, session));
    if (refused && !NOT_AUTHENTICATED.includes(refused.code)) throw refused;
    session.endedBy = method;
    if (!refused && method === DISCONNECT) delete signatures[session.phone];
    this.save();
    // The person is told, and may then leave the authorization server alone.
    if (refused) throw new Refused('nothing_to_end');
  }

  forgetMemory = () => Object.assign(this, { phone: undefined, isFormOpen: false });
  restart = () => this.forgetMemory().readPatient();
  save = () => this.file && writeFileSync(this.file, JSON.stringify(this.storage), { mode: 0o600 });

  forgetSession() {
    this.storage.session = undefined;
    this.forgetMemory().save();
  }

  ehr = (method, params, session = this.storage.session) => call(this.ehrUrl, method, params, session);
  auth = (method, params, session) =>
    call(this.authUrl, method, params, session).catch((error) => {
      throw session && NOT_AUTHENTICATED.includes(error.code) ? new Refused('signed_out') : error;
    });
}

/** The error of a call; undefined after its success. */
const failureOf = (promise) => promise.then(() => undefined).catch((error) => error);

/** §2.5: digits only. An extension is no part of the number. */
const digitsOf = (phone) => phone.replace(/(x|ext).*$/i, '').replace(/\D/g, '');
