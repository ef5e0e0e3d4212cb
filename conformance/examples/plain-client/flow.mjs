/** What the client does for each thing that a person asks for: which server it calls, and when (§1, §4). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { call, Refused } from './rpc.mjs';
import { explain } from './texts.mjs';

const LOGOUT = 'embedded_storage.remove_auth_info';
const DISCONNECT = 'embedded_storage.remove_authentication';
/** From `get_patient`: "go and authenticate" (§7). From `authenticate`: "take another exchange token". */
const AUTHENTICATE_CODES = [-33000, -33001, -33002];
/** From a removal: there is no session (any more). */
const NO_SESSION_CODES = [-33000, -33001];
const EXCHANGE_TOKEN_LIFETIME_MS = 10 * 60_000;
/** What anybody can do, and what needs a session. */
const ALWAYS = ['signIn', 'resend', 'enterCode', 'restart'];
const SIGNED_IN = ['readPatient', 'fillForm', 'logout', 'disconnect', 'deleteAccount'];

export class Client {
  constructor({ auth, ehr, 'api-version': version, storage }) {
    this.authUrl = auth;
    this.ehrUrl = `${ehr.replace(/\/$/, '')}/${version}${version && '/'}`;
    this.file = storage;
    const kept = storage && existsSync(storage) ? JSON.parse(readFileSync(storage, 'utf8')) : {};
    /** What survives a restart: the session, and for each phone the signature of its user (§1 rule 9). */
    this.storage = { session: undefined, signatures: {}, ...kept };
    this.forgetMemory();
  }

  /** Does what a person asks for. Whatever a server answers becomes a sentence with a way on. */
  async act(action) {
    const actions = [...ALWAYS, ...SIGNED_IN];
    if (!actions.includes(action?.do)) return { sees: 'error', text: `You can ${actions.join(', ')}.` };
    if (SIGNED_IN.includes(action.do) && !this.storage.session) return SIGNED_OUT;
    try {
      return await this[action.do](action);
    } catch (error) {
      // A result of another shape than the interface shows is no answer that helps.
      if (!(error instanceof Refused)) {
        process.stderr.write(`${error.stack}\n`);
        return explain({ reason: 'no_answer' }, this.isFormOpen);
      }
      if (error.reason === 'signed_out') this.forgetSession();
      return explain(error, this.isFormOpen);
    }
  }

  /** §1 rule 8: the phone is confirmed at the authorization server, by a code. */
  async signIn({ phone }) {
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
    if (!this.phone) return SIGNED_OUT;
    const { phone } = this;
    const userSign = this.storage.signatures[phone];
    const { authInfo, linked } = await this.confirm(phone, String(code ?? ''), userSign);
    this.forgetMemory();
    this.storage.session = { phone, user: authInfo.user, token: authInfo.token };
    // The record was disconnected elsewhere: the signature opens nothing any more.
    const isStale = userSign !== undefined && linked === false;
    if (isStale) delete this.storage.signatures[phone];
    this.save();
    return this.readPatient({ note: isStale ? 'Your record was disconnected elsewhere.' : '' });
  }

  async confirm(phone, code, userSign) {
    try {
      return await this.auth('auth.confirm_otp', { phone, code, ...(userSign && { ehr_user_sign: userSign }) });
    } catch (error) {
      // Some authorization servers refuse a stale signature instead of signing in without it.
      if (!userSign || error.reason !== 'ehr_refused') throw error;
      return { ...(await this.auth('auth.confirm_otp', { phone, code })), linked: false };
    }
  }

  /** §1 rules 2 and 3: the record; or the form, when the EHR server does not know the user and only then. */
  async readPatient({ note = '' } = {}) {
    if (!this.storage.session) return SIGNED_OUT;
    try {
      return await this.show(await this.ehr('patient.get_patient', {}));
    } catch (error) {
      // The record of the link is there no longer, or is inactive.
      if (error.reason === 'patient_not_matched')
        throw new Refused({ ...error, reason: 'record_gone' }, { cause: error });
      if (!AUTHENTICATE_CODES.includes(error.code)) throw error;
      this.isFormOpen = true;
      return { sees: 'form', text: `${note} Please tell us who you are, to see your record.`.trim() };
    }
  }

  /** §1 rule 5. What the form collected goes straight to the EHR server, and to nobody else (rule 3). */
  async fillForm({ values = {} }) {
    if (!this.isFormOpen) return { sees: 'error', text: 'There is no form to fill in. Read the record first.' };
    const missing = ['name', 'surname', 'date', 'phone'].filter((member) => !values[member]);
    if (missing.length > 0) return { sees: 'form', text: `Please fill in ${missing.join(', ')}.` };
    const { name, surname, date, phone, gender, medCardId } = values;
    const patientProperties = {
      ...{ name, surname, phone: digitsOf(phone) },
      // §2.5 has the time of day in its format. A date of birth has none.
      date: `${String(date).slice(0, 10)} 00:00:00.000`,
      ...(Number.isInteger(gender) && { gender }),
    };
    const search = medCardId ? { searchStrategy: 'MEDCARD', medCardId } : {};
    const result = await this.authenticate({ patientProperties, ...search });
    this.exchange = undefined;
    delete this.storage.session.endedBy;
    this.storage.session.isUnreported = true;
    return this.show(result);
  }

  /** §4.3. An exchange token that has run out or has had too many tries is replaced, once. */
  async authenticate(params, isAgain = false) {
    const exchangeToken = await this.exchangeToken();
    try {
      // §5.4: the exchange token says for whom it is.
      return await this.ehr('embedded_storage.authenticate', { exchangeToken, ...params }, null);
    } catch (error) {
      // A typing error leaves the exchange token as it was. After anything else it may be spent.
      if (!['patient_not_matched', 'invalid_params'].includes(error.reason)) this.exchange = undefined;
      // The link may be there all the same: it is reported when the record shows it.
      if (error.reason === 'no_answer') this.storage.session.isUnreported = true;
      if (isAgain || !AUTHENTICATE_CODES.includes(error.code)) throw error;
      return this.authenticate(params, true);
    }
  }

  /** §1 rule 4: an exchange token of the authorization server, not older than ten minutes (§2.4). */
  async exchangeToken() {
    const isFresh = this.exchange && Date.now() < this.exchange.at + EXCHANGE_TOKEN_LIFETIME_MS;
    if (isFresh) return this.exchange.token;
    const at = Date.now();
    const { exchangeToken } = await this.auth('auth.exchange_token', {}, this.storage.session);
    if (!exchangeToken) throw new Refused({ reason: 'no_answer' });
    this.exchange = { token: exchangeToken, at };
    return exchangeToken;
  }

  /** Keeps the signature for the next sign-in, and reports a new link until that has worked (§1 rule 6). */
  async show({ patient, user_sign, userSign = user_sign }) {
    const { session, signatures } = this.storage;
    if (!patient || !userSign) throw new Refused({ reason: 'no_answer' });
    signatures[session.phone] = userSign;
    this.isFormOpen = false;
    this.save();
    const note = session.isUnreported ? await this.report(userSign) : '';
    return { sees: 'patient', text: `The record of ${patient.name} ${patient.surname}.${note}`, patient };
  }

  async report(userSign) {
    const { session } = this.storage;
    try {
      await this.auth('auth.report_link', { user_sign: userSign }, session);
    } catch (error) {
      // The record can be read all the same. A missing entry of the user would be missing next time, too.
      if (error.reason !== 'user_unknown') return ' The sign-in service could not be told yet.';
      session.isUnreported = false;
      throw error;
    }
    session.isUnreported = false;
    this.save();
    return '';
  }

  /** §4.5. */
  logout() {
    return this.leave(LOGOUT, 'auth.logout', 'You are signed out.');
  }

  /** §4.6, together with the deletion at the authorization server. */
  deleteAccount() {
    return this.leave(DISCONNECT, 'auth.delete_user', 'Your account is deleted, and your record disconnected.');
  }

  /** §4.6, alone: the user stays signed in at the authorization server. */
  async disconnect() {
    await this.endAtEhr(DISCONNECT);
    return this.readPatient({ note: 'Your record is disconnected.' });
  }

  /** The EHR server first. The authorization server is called only after its success (§4.5, §4.6). */
  async leave(ehrMethod, authMethod, text) {
    const { session } = this.storage;
    if (![ehrMethod, DISCONNECT].includes(session.endedBy)) await this.endAtEhr(ehrMethod);
    try {
      await this.auth(authMethod, {}, session);
    } catch (error) {
      if (!NO_SESSION_CODES.includes(error.code)) throw error;
    }
    this.forgetSession();
    return { sees: 'signedOut', text };
  }

  async endAtEhr(method) {
    const { session, signatures } = this.storage;
    try {
      await this.ehr(method, {}, session);
      if (method === DISCONNECT) delete signatures[session.phone];
    } catch (error) {
      // There is nothing to end. The person is told, and may then leave the authorization server alone.
      if (!NO_SESSION_CODES.includes(error.code)) throw error;
      session.endedBy = method;
      this.save();
      throw new Refused({ ...error, reason: 'nothing_to_end' }, { cause: error });
    }
    session.endedBy = method;
    this.save();
  }

  restart() {
    this.forgetMemory();
    return this.readPatient();
  }

  forgetMemory() {
    Object.assign(this, { phone: undefined, exchange: undefined, isFormOpen: false });
  }

  forgetSession() {
    this.storage.session = undefined;
    this.save();
    this.forgetMemory();
  }

  save() {
    if (this.file) writeFileSync(this.file, JSON.stringify(this.storage), { mode: 0o600 });
  }

  ehr(method, params, session = this.storage.session) {
    return call(this.ehrUrl, method, params, session);
  }

  async auth(method, params, session) {
    try {
      return await call(this.authUrl, method, params, session);
    } catch (error) {
      const isOver = session && NO_SESSION_CODES.includes(error.code);
      throw isOver ? new Refused({ ...error, reason: 'signed_out' }, { cause: error }) : error;
    }
  }
}

const SIGNED_OUT = { sees: 'signedOut', text: 'Please sign in with your phone number.' };

/** §2.5: digits only. An extension is no part of the number. */
const digitsOf = (phone) =>
  String(phone ?? '')
    .replace(/(x|ext).*$/i, '')
    .replace(/\D/g, '');
