/** In the place of the client while a saved run is open: what run it is, and its people. */
import type { Replay } from '../../../api.ts';
import { noFilter, peopleOf } from '../../model/filter.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { countdown, dateOf, timeOfDay } from '../format.ts';
import { Button } from '../parts/button.tsx';

export function RunPanel({ replay }: { replay: Replay }) {
  const { model, act } = useConsole();
  const { rows, target, startedAt } = replay;
  const messages = rows.filter((row) => row.kind === 'message');
  const people = peopleOf(rows);
  const began = Date.parse(startedAt);
  const facts = [
    ['runTarget', target],
    ['runBegan', `${dateOf(began)}, ${timeOfDay(began)}`],
    ['runTook', countdown(Math.max(0, ...messages.map(({ endedAt }) => endedAt - began)))],
    ['runMessages', String(messages.length)],
  ] as const;
  return (
    <section className="panel client-panel run-panel" aria-label={texts.runTitle}>
      <h2>{texts.runTitle}</h2>
      <p className="hint">{texts.runText}</p>
      <dl>
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{texts[key]}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {people.length > 0 && <h3>{texts.runPeople}</h3>}
      <ul className="row chips">
        {people.map((person) => {
          const isChosen = model.filter.person === person;
          const filter = isChosen ? noFilter : { ...noFilter, person };
          return (
            <li key={person}>
              <Button className="chip" aria-pressed={isChosen} onClick={() => act.filter(filter)}>
                {person}
              </Button>
            </li>
          );
        })}
      </ul>
      <p>
        <Button className="btn btn-primary" text={texts.replayLeave} onClick={act.leaveReplay} />
      </p>
    </section>
  );
}
