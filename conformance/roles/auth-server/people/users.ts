/** The users of one scenario: people under a name, at one device. */

import { ScenarioStopped } from '../../../engine/check/scenario-stopped.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { People, Person } from './people.ts';
import type { User } from './user.ts';

export type UsersParts = { people: People; recorder: Recorder; scenario: string };

/** Makes the users of a scenario, and gives each of them a person. */
export class Users {
  readonly #parts: UsersParts;
  readonly #people: Person[];
  readonly #byName = new Map<string, Person>();

  /** @param people who takes part, in the order in which users are asked for; more may join later */
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

  /** Makes a user for this person, who may have another user already (a second device). */
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
