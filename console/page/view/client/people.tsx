/** The personas as cards: who they are, what happens with them. One click fills what they would type. */
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { PersonCard } from '../../../api.ts';
import { useConsole } from '../context.ts';
import { Button } from '../parts.tsx';

export function People() {
  const { model, act, filler } = useConsole();
  const [told, setTold] = useState('');
  const people = model.overview?.people ?? [];
  const chosen = people.find(({ name }) => name === model.person);

  function choose(person: PersonCard, typedIndex = 0) {
    // The card moves the client down, so it is there before the form scrolls.
    flushSync(() => act.choosePerson(person.name));
    setTold(filler.fillPerson(person, typedIndex) ? 'Filled.' : 'The client shows no form to fill now.');
  }

  return (
    <section className="people" aria-label="People">
      <ul className="row chips">
        {people.map((person) => (
          <li key={person.name}>
            <Button
              className="chip"
              aria-pressed={person === chosen}
              title={person.outcome}
              onClick={() => choose(person)}
            >
              {firstName(person)}
            </Button>
          </li>
        ))}
      </ul>
      {chosen ? (
        <Card person={chosen} onFill={(typedIndex) => choose(chosen, typedIndex)} />
      ) : (
        <p className="hint">Choose a person: the form below is filled with what they would type.</p>
      )}
      <p className="visually-hidden" role="status">
        {told}
      </p>
    </section>
  );
}

function Card({ person, onFill }: { person: PersonCard; onFill: (typedIndex: number) => void }) {
  return (
    <div className="person-card">
      <p className="person-title">{person.title}</p>
      <p>{person.outcome}</p>
      <p className="row person-fill">
        {person.typed.map(({ name, surname }, typedIndex) => (
          <Button key={`${name} ${surname}`} onClick={() => onFill(typedIndex)}>
            {`Fill the form: ${name} ${surname}`}
          </Button>
        ))}
      </p>
    </div>
  );
}

/** The given names of those that can be told apart, such as `Ivan, Oleg`. */
function firstName({ name, typed }: PersonCard): string {
  return typed.map((person) => person.name).join(', ') || name;
}
