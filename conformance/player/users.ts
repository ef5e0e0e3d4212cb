/** The users of one scenario, and the people behind them. */

import type { Recorder } from '../journal/recorder.ts';
import type { People, Person } from './people.ts';
import { ScenarioStopped, type User } from './user.ts';

export type UsersParts = { people: People; recorder: Recorder; scenario: string };

export class Users {
  readonly #parts: UsersParts;
  readonly #people: Person[];
  readonly #byName = new Map<string, Person>();

  /** @param people who takes part, in the order in which users are asked for; people who are taken later are added */
  constructor(parts: UsersParts, people: Person[]) {
    this.#parts = parts;
    this.#people = people;
  }

  /** The people who take part so far. */
  get people(): readonly Person[] {
    return this.#people;
  }

  /** A user for the next person of the scenario who is none yet. */
  next(name: string): { user: User; person: Person } {
    const taken = new Set(this.#byName.values());
    const person = this.#people.find((each) => !taken.has(each)) ?? this.oneMore();
    return { user: this.of(name, person), person };
  }

  /** A user for a person. */
  of(name: string, person: Person): User {
    this.#byName.set(name, person);
    return this.at(name, person);
  }

  /** A user at a phone, which need not be that of one of the run's people. */
  at(name: string, { phone, patient }: Pick<User, 'phone' | 'patient'>): User {
    this.#parts.recorder.knowledge.learnPerson({ scenario: this.#parts.scenario, user: name }, phone);
    return { name, phone, patient };
  }

  /** One person more. */
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

  /** The person behind a user is linked from now on. */
  wasLinked({ name }: User): void {
    const person = this.#byName.get(name);
    if (person) person.linkedBefore = true;
  }
}
