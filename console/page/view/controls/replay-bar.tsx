/** What stands in the place of the controls while a saved run is open. */
import type { Replay } from '../../../api.ts';
import { neighbour } from '../../model/model.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { dateOf, timeOfDay } from '../format.ts';
import { Button } from '../parts/button.tsx';

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
