/** What a scenario can do with a client: act as a person, disturb the two servers, and let time pass. */
import { type Clock, pause } from '#protocol/time/clock.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { MadeSteps, NotPlayable, ScenarioStopped, type Step } from '../../engine/check/playing.ts';
import type { Expects, PersonStepName, StepResult } from '../../engine/journal/entry.ts';
import type { Recorder } from '../../engine/journal/recorder.ts';
import {
  type Action,
  type Button,
  type ClientDriver,
  DriverFailure,
  type FormValues,
  PHONE_IN_FORM,
  type Screen,
  type Seen,
  screens,
  stepOfAction,
} from './drivers/driver.ts';
import { changedRecord, type Person, people } from './people/people.ts';
import { hiddenIn, keptIn, valuesOf } from './people/values-of-seen.ts';
import type { ClientProxy } from './servers/client-proxy.ts';
import type { Trouble } from './servers/troubles.ts';

type ClientWorldParts = {
  scenario: string;
  recorder: Recorder;
  proxy: ClientProxy;
  clock: Clock;
  signal: AbortSignal;
  can: ReadonlySet<string>;
  /** The actions that the client does not offer, as its file says, each with the reason. */
  absent: Readonly<Partial<Record<Action['do'], string | undefined>>>;
  start: () => Promise<ClientDriver>;
  forget: () => void;
};

/** `check`: it alone judges the step. `where`: the step counts only where this was called, or refused. */
type Meant = { check?: string; where?: string };

export type PersonStep = Step<StepResult>;

/** The step must lead to one of these screens. Of several steps with one label the last one counts. */
export function leadsTo(to: readonly Screen[], more: Meant = {}): Expects {
  return { must: 'lead to', screens: [...to], ...more };
}

/** The step must end with a sentence that says what is the matter, on one of these screens; on any if none. */
export function tells(on: readonly Screen[] = [], more: Meant = {}): Expects {
  return { must: 'tell', screens: [...(on.length > 0 ? on : screens)], ...more };
}

/** Of `where`: the step counts only where get_patient was refused in it. */
export const READ_REFUSED = 'get_patient refused';

type Times = number | 'always';

type SetUp = Action | ((label: string) => PersonStep);

/**
 * A method that returns a {@link PersonStep} plays nothing: the step is played when it is called, or given to
 * `control`, `leadsTo`, `leadsAnywhere` or `tells`. Its `label` names it in reports.
 */
export class ClientWorld {
  readonly made = new MadeSteps();
  readonly #parts: ClientWorldParts;
  #driver: ClientDriver | undefined;
  #sees: string | undefined;
  #phone = ''; // Of the last sign-in.
  #setUps = 0; // Numbers the labels of set-up steps, so that each is different.

  constructor(parts: ClientWorldParts) {
    this.#parts = parts;
  }

  /** Plays a step that must lead to one of these screens: otherwise the others prove nothing. */
  control(step: PersonStep, ...to: readonly [Screen, ...Screen[]]): Promise<StepResult> {
    return step({ ...leadsTo(to), isControl: true });
  }

  /** Plays a step that must lead to one of these screens, for each check of the flow. */
  leadsTo(step: PersonStep, ...to: readonly [Screen, ...Screen[]]): Promise<StepResult> {
    return step(leadsTo(to));
  }

  /** Plays a step that must tell the person what is the matter, on one of these screens; on any if none. */
  tells(step: PersonStep, ...on: readonly Screen[]): Promise<StepResult> {
    return step(tells(on));
  }

  /** Plays a step that must lead to some screen, whichever. */
  leadsAnywhere(step: PersonStep): Promise<StepResult> {
    return step(leadsTo(screens));
  }

  /** Does one action, or several at the same moment, as one step, and records what the person sees then. */
  act(label: string, ...actions: [Action, ...Action[]]): PersonStep {
    const [first] = actions;
    return this.#step(label, stepOfAction[first.do], async () => {
      const typed = actions.map((action) => this.#typed(action));
      for (const action of typed) this.#parts.proxy.memory.note(action);
      const driver = this.#driver ?? (await this.#parts.start());
      this.#driver = driver;
      const see = () => Promise.all(typed.map((action) => driver.act(action)));
      const result = await this.#seen(driver, see);
      if (actions.length === 1) refuseUnplayable(first, result);
      return result;
    });
  }

  /** The action as the person does it: a page without a phone in its form takes that of the sign-in. */
  #typed(action: Action): Action {
    const why = this.#parts.absent[action.do];
    if (why !== undefined) throw new NotPlayable(`the client has no ${action.do}: ${why}`);
    if (action.do === 'signIn') this.#phone = action.phone;
    if (action.do !== 'fillForm' || this.#parts.can.has(PHONE_IN_FORM)) return action;
    return { ...action, values: { ...action.values, phone: this.#phone } };
  }

  async #seen(driver: ClientDriver, see: () => Promise<Seen[]>): Promise<StepResult> {
    const { recorder, proxy } = this.#parts;
    const seen = await see();
    const hidden = await hiddenIn(driver, seen, recorder.knowledge, proxy.memory);
    return { kind: 'done', values: { ...valuesOf(seen, proxy.memory), ...hidden } };
  }

  /** Looks at the screen without an action, where the driver can. */
  async look(label: string): Promise<void> {
    const driver = this.#driver;
    const look = driver?.look;
    if (!look) return;
    await this.#step(label, 'look', () => this.#seen(driver, async () => [await look.call(driver)]))();
  }

  enterCode(label: string, { signIn }: Person = people.darya): PersonStep {
    return this.made.make(label, (...expects) =>
      this.act(label, { do: 'enterCode', code: this.newestCode(signIn) })(...expects),
    );
  }

  /** @throws ScenarioStopped when no code was asked for */
  newestCode(phone: string): string {
    const { proxy, recorder } = this.#parts;
    const code = proxy.servers.code(phone);
    if (code === undefined)
      throw new ScenarioStopped('the client asked for no code for this phone', 'client');
    recorder.knowledge.learnCode(code, phone);
    return code;
  }

  fillForm(label: string, values: FormValues = people.darya.form): PersonStep {
    return this.act(label, { do: 'fillForm', values });
  }

  press(label: string, what: Button): PersonStep {
    return this.act(label, { do: what });
  }

  async leave(): Promise<void> {
    await this.#step('leaves', 'leave', async () => {
      const cutBy = await this.#driver?.leave();
      this.#driver = undefined;
      return { kind: 'done', values: cutBy === undefined ? {} : { cutBy } };
    })();
  }

  /** Set-up: signs in. Returns the screen: the form, or the record where the client can open it. */
  async signedIn(person: Person = people.darya): Promise<Screen | undefined> {
    await this.askForCode(person);
    return this.mustSee('enters the code', ['form', 'patient'], (label) => this.enterCode(label, person));
  }

  async linked(person: Person = people.darya): Promise<void> {
    if ((await this.signedIn(person)) === 'patient') return;
    await this.mustSee('fills in the form', ['patient'], { do: 'fillForm', values: person.form });
  }

  /** A person who is signed out signs in. The step in which they enter the code has the label. */
  signInAgain(label: string, person: Person = people.darya): PersonStep {
    return this.made.make(label, async (...expects) => {
      await this.askForCode(person);
      return this.enterCode(label, person)(...expects);
    });
  }

  /** Ends the client and removes what it stored, as if newly installed. The servers keep their data. */
  async startOver(): Promise<void> {
    await this.#kill();
    this.#parts.forget();
  }

  /** Waits, and notes under a label what the client's storage holds then, where the kit can look into it. */
  async lookAtKept(label: string, afterMs: number): Promise<void> {
    await this.wait(afterMs);
    const { recorder, scenario, proxy } = this.#parts;
    const kept = (await this.#driver?.kept?.()) ?? [];
    recorder.observation({ scenario, label }, { found: keptIn(kept, recorder.knowledge, proxy.memory) });
  }

  /** @throws ScenarioStopped when the person sees none of these screens */
  async mustSee(what: string, wanted: readonly Screen[], play: SetUp): Promise<Screen | undefined> {
    const label = `set-up ${++this.#setUps}: ${what}`;
    const result = await (typeof play === 'function' ? play(label) : this.act(label, play))();
    const screen = wanted.find((each) => sees(result, each));
    if (screen) return screen;
    const because = `the step "${label}" ought to lead to ${wanted.join(' or ')}, and did not (${inWords(result)})`;
    throw new ScenarioStopped(because, 'client');
  }

  /** Set-up: asks for a code. @throws ScenarioStopped when there is no screen for it */
  async askForCode({ signIn: phone }: Person = people.darya): Promise<void> {
    await this.mustSee('asks for a code', ['code'], { do: 'signIn', phone });
  }

  /** Set-up: the record is disconnected on another device, so that the form opens. */
  async formAgain(person: Person = people.darya): Promise<void> {
    await this.disconnectElsewhere(person);
    await this.mustSee('reads the record', ['form'], { do: 'readPatient' });
  }

  /**
   * The person does what each screen asks for, until the record is there. Every step has the label, and what
   * is expected counts for the last one.
   */
  wayToRecord(label: string, person: Person = people.darya): PersonStep {
    return this.made.make(label, async (...expects) => {
      // A code or a form is answered at once. An error or a record may be old: it is read again.
      let seen = this.#sees === 'code' || this.#sees === 'form' ? this.#sees : undefined;
      for (let turn = 0; ; turn++) {
        const result = await this.#answer(label, seen, person)(...expects);
        const before = seen;
        if (result.kind !== 'done' || sees(result, 'patient') || turn === MAX_TURNS) return result;
        // A screen that comes again leads nowhere: in the next turn the person opens the record.
        seen = result.values.sees === before ? undefined : result.values.sees;
      }
    });
  }

  /** The person sends the form, and once more where it is still there. From another screen they find the way on. */
  sendsAgain(label: string): PersonStep {
    return this.made.make(label, async (...expects) => {
      const send = () => this.fillForm(label)(...expects);
      const isThere = (result: StepResult) =>
        sees(result, 'form') || (sees(result, 'error') && wasDone(result));
      const first = await send();
      const last = isThere(first) ? await send() : first;
      return sees(last, 'patient') || isThere(last) ? last : this.wayToRecord(label)(...expects);
    });
  }

  #answer(label: string, screen: string | undefined, person: Person): PersonStep {
    if (screen === 'form') return this.fillForm(label, person.form);
    if (screen === 'signedOut') return this.act(label, { do: 'signIn', phone: person.signIn });
    if (screen !== 'code') return this.press(label, 'readPatient');
    return async (...expects) => {
      const result = await this.enterCode(label, person)(...expects);
      if (!sees(result, 'code')) return result;
      await this.press(label, 'resend')(...expects);
      return this.enterCode(label, person)(...expects);
    };
  }

  /** Disturbs the next calls of a method, as many as `times` says. */
  disturb(method: string, trouble: Trouble, times: Times = 1): void {
    const most = times === 'always' ? Number.POSITIVE_INFINITY : times;
    this.#parts.proxy.arm(method.startsWith('auth.') ? 'auth' : 'ehr', method, trouble, most);
  }

  /** Disturbs the next call of a method while the person acts. */
  async whileTroubled(
    method: string,
    trouble: Trouble,
    act: () => Promise<unknown>,
    times?: Times,
  ): Promise<void> {
    this.disturb(method, trouble, times);
    await act();
    this.endTroubles();
  }

  /** Disturbs every call of a method while the person acts. */
  whileAllTroubled(method: string, trouble: Trouble, act: () => Promise<unknown>): Promise<void> {
    return this.whileTroubled(method, trouble, act, 'always');
  }

  /** Waits until the client has finished its work in the background. */
  settled = (): Promise<void> => this.#parts.proxy.settled(this.#parts.signal);

  wait(milliseconds: number): Promise<void> {
    return pause(this.#parts.clock, milliseconds, this.#parts.signal);
  }

  endTroubles = (): void => this.#parts.proxy.disarm();

  advance = (minutes: number): void => this.#parts.proxy.servers.clock.advance(minutes * 60_000);
  recordChanges = (to: Patient = changedRecord): void => this.#parts.proxy.servers.changeRecord(to);

  /** Set-up: ends the session. @throws ScenarioStopped when the person does not get out */
  async signedOut(): Promise<void> {
    await this.mustSee('logs out', ['signedOut'], (label) => this.endBy(label, 'logout'));
  }

  /** Presses three times at most, until signed out. A refusal of the record may offer the last way out. */
  endBy(label: string, what: 'logout' | 'deleteAccount'): PersonStep {
    return this.made.make(label, async (...expects) => {
      let result = await this.press(label, what)(...expects);
      for (let left = 2; left > 0 && !sees(result, 'signedOut'); left--) {
        if (left === 1) await this.press(label, 'readPatient')(...expects);
        result = await this.press(label, what)(...expects);
      }
      return result;
    });
  }

  async disconnectElsewhere({ signIn: phone }: Person): Promise<void> {
    await this.#parts.proxy.disconnect(phone);
  }

  async end(): Promise<void> {
    this.endTroubles();
    await this.#kill();
  }

  async #kill(): Promise<void> {
    // Calls that the client makes while it ends belong to no step.
    this.#parts.proxy.place = undefined;
    await this.#driver?.kill();
    this.#driver = undefined;
  }

  #step(label: string, step: PersonStepName, play: () => Promise<StepResult>): PersonStep {
    return this.made.make(label, (...expects) => this.#play({ label, step, expects }, play));
  }

  async #play(
    about: { label: string; step: PersonStepName; expects: readonly Expects[] },
    play: () => Promise<StepResult>,
  ): Promise<StepResult> {
    const { recorder, proxy, clock, signal, scenario } = this.#parts;
    signal.throwIfAborted();
    const open = recorder.step({ scenario, user: 'person', ...about });
    proxy.place = { scenario, step: open.seq };
    const begun = clock.now();
    const result = await play().catch((error: unknown): StepResult => {
      if (error instanceof DriverFailure) return { kind: 'failed', what: error.what, detail: error.message };
      throw error;
    });
    recorder.outcome(open, result, clock.now() - begun);
    this.#sees = result.kind === 'done' ? result.values.sees : undefined;
    signal.throwIfAborted();
    return result;
  }
}

/** How many screens a person answers, after the first, before they give up. */
const MAX_TURNS = 6;

export const sees = (result: StepResult, screen: Screen): boolean =>
  result.kind === 'done' && result.values.sees === screen;

/** Whether the page has all that the action needs, as far as the driver can tell. */
const wasDone = (result: StepResult): boolean => result.kind === 'done' && result.values.missing === '';

/** The screen on which a person can do each action. */
const PLACES: Readonly<Partial<Record<Action['do'], Screen>>> = {
  signIn: 'signedOut',
  enterCode: 'code',
  resend: 'code',
  fillForm: 'form',
  logout: 'patient',
  disconnect: 'patient',
  deleteAccount: 'patient',
};

/** @throws ScenarioStopped where the right screen is there, and lacks what the file names: the file may be wrong */
function refuseUnplayable({ do: what }: Action, result: StepResult): void {
  if (result.kind !== 'done' || !result.values.missing || result.values.sees !== PLACES[what]) return;
  throw new ScenarioStopped(
    `${what} cannot be done on the screen ${result.values.sees}: ${result.values.missing}`,
    'harness',
  );
}

function inWords(result: StepResult): string {
  if (result.kind === 'done') return `the person sees ${result.values.sees}: ${result.values.text}`;
  return result.kind === 'failed' ? result.detail : result.kind;
}
