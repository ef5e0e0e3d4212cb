/** In the place of the demo's clock while a saved run is open: the time of that run. */
import type { Replay } from '../../../api.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { dateOf, timeOfDay } from '../format.ts';

/** The day and the time of the run at the chosen message. */
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
