/** The users of one scenario: people under a name, at one device. */
import type { Patient } from '#protocol/wire/fields.ts';
import { ScenarioStopped } from '../../../engine/check/playing.ts';
import type { Expects, Label, StepResult } from '../../../engine/journal/entry.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { StepInput } from '../adapter/adapter.ts';
import type { People, Person } from './people.ts';

export type User = {
  readonly name: string;
  readonly phone: string;
  readonly patient: Patient;
  user?: string;
  token?: string;
  /** Lifetime of the session as the sign-in returned it, in minutes. */
  ttl?: string;
  /** The signature with which the EHR server answered when it identified the patient. */
  userSign?: string;
  exchangeToken?: string;
  /** Number, in the journal, of the request whose exchange token linked this user to the patient. */
  linkRequest?: string;
};

/** `defect`: the mistake that the step makes on purpose. `expects`: what must come of it, for which checks. */
export type StepOptions = SentInput & { defect?: string; expects?: readonly Expects[] };

/** `withoutToken` leaves out all that carries the token; `withoutSession` the user as well. */
export type SentInput = StepInput & { withoutToken?: true; withoutSession?: true };

/** What the journal says of a step from its beginning. `code` is the one that is typed in. */
export type Begun = {
  defect?: string | undefined;
  code?: string | undefined;
  expects?: readonly Expects[] | undefined;
};

/** Blames the set-up where the server has no such step. */
export function stoppedAt(step: string | Label, result: StepResult): ScenarioStopped {
  const label = typeof step === 'string' ? step : step.label;
  if (result.kind === 'absent')
    return new ScenarioStopped(
      `the adapter declares that the server has no step for "${label}"`,
      'environment',
    );
  return new ScenarioStopped(
    `the step "${label}" ought to succeed and did not (${describe(result)})`,
    'auth server',
  );
}

type UsersParts = { people: People; recorder: Recorder; scenario: string };

export class Users {
  readonly #parts: UsersParts;
  readonly #people: Person[];
  readonly #byName = new Map<string, Person>();

  constructor(parts: UsersParts, people: Person[]) {
    this.#parts = parts;
    this.#people = people;
  }

  /** The people who take part so far. */
  get people(): readonly Person[] {
    return this.#people;
  }

  /** A user for the next person who has none yet. */
  next(name: string): { user: User; person: Person } {
    const taken = new Set(this.#byName.values());
    const person = this.#people.find((each) => !taken.has(each)) ?? this.oneMore();
    return { user: this.of(name, person), person };
  }

  of(name: string, person: Person): User {
    this.#byName.set(name, person);
    return this.at(name, person);
  }

  /** Makes a user with this phone, which need not be a phone of the run. */
  at(name: string, { phone, patient }: Pick<User, 'phone' | 'patient'>): User {
    this.#parts.recorder.knowledge.learnPerson({ scenario: this.#parts.scenario, user: name }, phone);
    return { name, phone, patient };
  }

  /** ScenarioStopped when all phones of the file are taken. */
  oneMore(): Person {
    const { people } = this.#parts;
    const person = people.takeOneMore();
    if (!person)
      throw new ScenarioStopped(
        `the adapter names ${people.count} phones, and this scenario needs more`,
        'environment',
      );
    this.#people.push(person);
    return person;
  }

  isLinked({ phone }: User): boolean {
    return this.#people.some((person) => person.phone === phone && person.linkedBefore);
  }

  wasLinked({ name }: User): void {
    const person = this.#byName.get(name);
    if (person) person.linkedBefore = true;
  }
}
