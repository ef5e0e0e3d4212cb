/** What stands in the place of the controls and of the client while a saved run is open. */
import type { Replay } from '../../../api.ts';
import { noFilter, peopleOf } from '../../model/lines.ts';
import { neighbour } from '../../model/model.ts';
import { useConsole } from '../context.ts';
import { countdown, dateOf, partyNames, timeOfDay } from '../format.ts';
import { Button } from '../parts.tsx';

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** Walks through the run, message by message. */
export function ReplayBar({ replay }: { replay: Replay }) {
  const { model, act } = useConsole();
  const walk = (step: 1 | -1) => void act.choose(neighbour(model, step));
  const date = replay.startedAt.slice(0, DATE_LENGTH);
  return (
    <section className="row replay-bar" aria-label="Record and replay">
      <b>{`Saved run of ${replay.target}, ${date}`}</b>
      <Button aria-label="Previous message" onClick={() => walk(-1)}>
        ◀
      </Button>
      <Button aria-label="Next message" onClick={() => walk(1)}>
        ▶
      </Button>
      <Button text="Back to live" onClick={act.leaveReplay} />
      <small>{`A saved run judges one party alone: ${partyNames[replay.judged]}. Live, all three are judged.`}</small>
    </section>
  );
}

/** The day and the time of the run at the chosen message, in the place of the demo's clock. */
export function ReplayClock({ replay }: { replay: Replay }) {
  const { model } = useConsole();
  const at = model.detail?.endedAt ?? Date.parse(replay.startedAt);
  return (
    <p className="row replay-clock">
      <span>Time of the run</span>
      <b className="replay-day">{dateOf(at)}</b>
      <b className="replay-time">{timeOfDay(at)}</b>
    </p>
  );
}

export function RunPanel({ replay }: { replay: Replay }) {
  const { model, act } = useConsole();
  const { rows, target, startedAt } = replay;
  const messages = rows.filter((row) => row.kind === 'message');
  const people = peopleOf(rows);
  const began = Date.parse(startedAt);
  const facts = [
    ['Of', target],
    ['Began', `${dateOf(began)}, ${timeOfDay(began)}`],
    ['Took', countdown(Math.max(0, ...messages.map(({ endedAt }) => endedAt - began)))],
    ['Messages', String(messages.length)],
  ] as const;
  return (
    <section className="panel client-panel run-panel" aria-label="A saved run">
      <h2>A saved run</h2>
      <p className="hint">
        All of this has happened already: nothing here is live. The demo goes on behind it.
      </p>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {people.length > 0 && <h3>Its people</h3>}
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
        <Button className="btn btn-primary" text="Back to live" onClick={act.leaveReplay} />
      </p>
    </section>
  );
}
