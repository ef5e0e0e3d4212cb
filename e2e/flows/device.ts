/** One application in the hands of a person: what they do with it, and what they must see then. */
import {
  type Action,
  type ClientDriver,
  DriverFailure,
  type FormValues,
  type Screen,
  type Seen,
} from '#conformance/roles/client/drivers/driver.ts';
import { isSentence } from '#conformance/roles/client/seen.ts';
import type { KnownPerson } from '#conformance/roles/ehr-server/settings.ts';
import { pause } from '#protocol/time/clock.ts';
import type { Parties } from '../parties/open.ts';

/** Somebody who can sign in, and whose record the EHR server has. */
export type Someone = { readonly phone: string; readonly record: KnownPerson };

const DOES: Readonly<Record<Action['do'], string>> = {
  signIn: 'asks for a code',
  resend: 'asks for another code',
  enterCode: 'enters the code',
  fillForm: 'sends the form',
  readPatient: 'reads the record',
  logout: 'logs out',
  disconnect: 'disconnects the record',
  deleteAccount: 'deletes the account',
  restart: 'starts the application again',
  reload: 'reloads the page',
  back: 'goes back',
  otherTab: 'goes to the other tab',
};

const MAX_TEXT_CHARS = 200;

export class Device {
  readonly #parties: Parties;
  readonly #authClock: AuthClock;
  readonly #start: () => Promise<ClientDriver>;
  #driver: ClientDriver | undefined;
  #did = 'nothing';
  #seen: Seen = { sees: 'signedOut', text: '' };

  constructor(parties: Parties, authClock: AuthClock, start: () => Promise<ClientDriver>) {
    this.#parties = parties;
    this.#authClock = authClock;
    this.#start = start;
  }

  async askCode(phone: string): Promise<string> {
    const { auth, recorder } = this.#parties;
    recorder.knowledge.pseudonyms.learn('phone', phone);
    await this.#authClock.untilCodeIsDue(phone);
    const before = await auth.messagesTo(phone);
    await this.#act({ do: 'signIn', phone });
    this.#authClock.codeWasSent(phone);
    this.sees('code');
    const code = await auth.codeFor(phone, before);
    if (code === undefined) throw new FlowFailure('No code came to the phone.');
    recorder.knowledge.learnCode(code, phone);
    return code;
  }

  enterCode(code: string): Promise<void> {
    return this.#act({ do: 'enterCode', code });
  }

  async signIn({ phone }: Someone): Promise<void> {
    await this.enterCode(await this.askCode(phone));
  }

  fillForm({ name, surname, date, phone, gender }: KnownPerson): Promise<void> {
    const values: FormValues = { name, surname, date, phone, ...(gender !== undefined && { gender }) };
    return this.#act({ do: 'fillForm', values });
  }

  press(what: 'readPatient' | 'logout' | 'disconnect' | 'deleteAccount'): Promise<void> {
    return this.#act({ do: what });
  }

  async connect(someone: Someone): Promise<this> {
    await this.signIn(someone);
    this.sees('form', 'patient');
    if (this.#seen.sees === 'form') await this.fillForm(someone.record);
    this.seesRecordOf(someone.record);
    return this;
  }

  /** Requires one of these screens. */
  sees(...wanted: readonly [Screen, ...Screen[]]): void {
    const { sees, text } = this.#seen;
    if (wanted.includes(sees)) return;
    const found = `the screen ${sees}: "${text.slice(0, MAX_TEXT_CHARS)}"`;
    throw this.#failure(`the screen ${wanted.join(' or ')}`, found);
  }

  /** Requires one of these screens, with a sentence that says what is the matter. */
  isToldOn(...wanted: readonly [Screen, ...Screen[]]): void {
    this.sees(...wanted);
    if (!isSentence(this.#seen.text)) throw this.#failure('a sentence that says what is the matter', 'none');
  }

  seesRecordOf({ name, surname }: Pick<KnownPerson, 'name' | 'surname'>): void {
    this.sees('patient');
    const { patient, text } = this.#seen;
    const shown = lettersOf(`${JSON.stringify(patient ?? '')} ${text}`);
    const isShown = [name, surname].every((each) => shown.includes(lettersOf(each)));
    if (patient !== undefined && !isShown) throw this.#failure('the record of this person', 'another record');
  }

  /** Sends the form until the record is there, as often as a patient person does. */
  async fillFormUntilRecord(record: KnownPerson): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS && this.#seen.sees !== 'patient'; turn++) {
      if (this.#seen.sees === 'form') await this.fillForm(record);
      else await this.press('readPatient');
    }
    this.seesRecordOf(record);
  }

  /** Presses an ending until the person is out. */
  async getOutBy(what: 'logout' | 'deleteAccount'): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      await this.press(what);
      if (this.#seen.sees === 'signedOut') return;
    }
    this.sees('signedOut');
  }

  /** Signs in again where the application asks for it, up to the record. */
  async findWayBack(someone: Someone): Promise<void> {
    await this.press('readPatient');
    for (let turn = 0; turn < MAX_TURNS && this.#seen.sees !== 'patient'; turn++) {
      if (this.#seen.sees === 'form') await this.fillForm(someone.record);
      else await this.signIn(someone);
    }
    this.seesRecordOf(someone.record);
  }

  get screen(): Screen {
    return this.#seen.sees;
  }

  async end(): Promise<void> {
    await this.#driver?.leave();
    this.#driver = undefined;
  }

  async #act(action: Action): Promise<void> {
    const { recorder, signal } = this.#parties;
    signal.throwIfAborted();
    this.#did = DOES[action.do];
    recorder.note(`The person ${this.#did}.`);
    try {
      this.#driver ??= await this.#start();
      this.#seen = await this.#driver.act(action);
    } catch (error) {
      if (!(error instanceof DriverFailure)) throw error;
      const message = `When the person ${this.#did}, the application fails: ${error.message}.`;
      throw new FlowFailure(message, { cause: error });
    }
  }

  #failure(wanted: string, found: string): FlowFailure {
    const sentence = `After the person ${this.#did}, they ought to see ${wanted}; they see ${found}.`;
    return new FlowFailure(sentence.replace(/[.!?]"\.$/, '."'));
  }
}

/** A trouble is over after so many tries. */
const MAX_TURNS = 4;

/** Letters that compare alike whatever their form, as records and keyboards have them. */
const lettersOf = (text: string) => text.normalize('NFC').toLowerCase().replaceAll('ё', 'е');

export class AuthClock {
  readonly #parties: Parties;
  readonly #codesAt = new Map<string, number>();
  #aheadMs = 0;

  constructor(parties: Parties) {
    this.#parties = parties;
  }

  async advance(ms: number): Promise<void> {
    this.#aheadMs += ms;
    await this.#parties.auth.advance?.(ms);
  }

  /** Lets the pause pass that the authorization server makes between two codes to a phone. */
  async untilCodeIsDue(phone: string): Promise<void> {
    const { auth, clock, signal } = this.#parties;
    const at = this.#codesAt.get(phone);
    const waitMs = at === undefined ? 0 : at + auth.resendAfterSeconds * 1_000 - this.#now();
    if (waitMs > 0) await (auth.advance ? this.advance(waitMs) : pause(clock, waitMs, signal));
  }

  codeWasSent(phone: string): void {
    this.#codesAt.set(phone, this.#now());
  }

  #now(): number {
    return this.#parties.clock.now() + this.#aheadMs;
  }
}

/** How a flow ends that does not go as its sentence says. */
export class FlowFailure extends Error {
  override name = 'FlowFailure';
}
