/** Walks through a saved run, message by message. */
import type { Replay } from '../../../api.ts';
import { useConsole } from '../context.ts';
import { neighbour } from '../neighbour.ts';
import { Button } from '../parts/button.tsx';

const DATE_LENGTH = 'YYYY-MM-DD'.length;

export function ReplayBar({ replay }: { replay: Replay }) {
  const { model, act, say } = useConsole();
  const walk = (step: 1 | -1) => void act.choose(neighbour(model, step));
  const date = replay.startedAt.slice(0, DATE_LENGTH);
  return (
    <section className="row replay-bar" aria-label={say('recordTitle')}>
      <b>{say('replayOf', { target: replay.target, date })}</b>
      <Button aria-label={say('replayBack')} onClick={() => walk(-1)}>
        ◀
      </Button>
      <Button aria-label={say('replayOn')} onClick={() => walk(1)}>
        ▶
      </Button>
      <Button text="replayLeave" onClick={act.leaveReplay} />
      <small>{say('replayJudged', { party: say(replay.judged) })}</small>
    </section>
  );
}
