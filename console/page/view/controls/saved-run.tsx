/** What stands in the place of the controls and of the client while a saved run is open. */
import type { Replay } from '../../../api.ts';
import { noFilter, peopleOf } from '../../model/lines.ts';
import { neighbour } from '../../model/model.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { countdown, dateOf, timeOfDay } from '../format.ts';
import { Button } from '../parts.tsx';

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** Walks through the run, message by message. */
export function ReplayBar({ replay }: { replay: Replay }) {
  const { model, act } = useConsole();
  const walk = (step: 1 | -1) => void act.choose(neighbour(model, step));
  const date = replay.startedAt.slice(0, DATE_LENGTH);
  return (
    <section className="row replay-bar" aria-label={texts.recordTitle}>
      <b>{texts.replayOf(replay.target, date)}</b>
      <Button aria-label={texts.replayBack} onClick={() => walk(-1)}>
        ◀
      </Button>
      <Button aria-label={texts.replayOn} onClick={() => walk(1)}>
        ▶
      </Button>
      <Button text={texts.replayLeave} onClick={act.leaveReplay} />
      <small>{texts.replayJudged(texts[replay.judged])}</small>
    </section>
  );
}

/** The day and the time of the run at the chosen message, in the place of the demo's clock. */
export function ReplayClock({ replay }: { replay: Replay }) {
  const { model } = useConsole();
  const at = model.detail?.endedAt ?? Date.parse(replay.startedAt);
  return (
    <p className="row replay-clock">
      <span>{texts.replayTime}</span>
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
