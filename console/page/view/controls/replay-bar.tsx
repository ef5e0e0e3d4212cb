/** Walks through a saved run, message by message. */
import type { Replay } from '../../../api.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { neighbour } from '../neighbour.ts';
import { Button } from '../parts/button.tsx';

const DATE_LENGTH = 'YYYY-MM-DD'.length;

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
