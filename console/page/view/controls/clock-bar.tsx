/** The demo's clock, and its most wanted moves: a drag, or one click to a second before the token ends. */
import { useState } from 'react';
import type { Time } from '../../../api.ts';
import { texts } from '../../texts.ts';
import { useConsole, useDemoTime } from '../context.ts';
import { countdown, dayOf, isMoved, movedBy, timeOfDay } from '../format.ts';
import { Button } from '../parts/button.tsx';

const TICK_MS = 100;
/** Without an exchange token the drag goes this far, as long as a token lasts. */
const TOKEN_MS = 600_000;

export function ClockBar() {
  const { model, act, setUi } = useConsole();
  const noToken = model.overview?.clock.tokenEndsAt == null;
  return (
    <div className="row clock-bar">
      <Reading />
      <ClockDrag />
      <Button
        text={texts.beforeTokenEnd}
        disabled={noToken}
        title={noToken ? texts.noToken : undefined}
        onClick={() => void act.moveClock({ to: 'beforeTokenEnd' })}
      />
      <Button text={texts.clockMore} onClick={() => setUi({ dialog: 'time' })} />
    </div>
  );
}

function Reading() {
  const { model } = useConsole();
  const now = useDemoTime(TICK_MS);
  return (
    <span className="clock-reading">
      <span className="visually-hidden">{texts.clock} </span>
      <b>{model.overview ? timeOfDay(now) : '–'}</b>
      <Moved now={now} />
    </span>
  );
}

/** By how much the clock was moved, the day that it shows, and the way back. */
function Moved({ now }: { now: Time }) {
  const { model, act } = useConsole();
  const clock = model.overview?.clock;
  if (!isMoved(clock)) return null;
  return (
    <>
      <span className="clock-moved">{`${dayOf(now)} · ${movedBy(clock.offsetMs)}`}</span>
      <Button
        className="text-button"
        text={texts.clockBack}
        onClick={() => void act.moveClock({ to: 'now' })}
      />
    </>
  );
}

/** Moves the clock when the drag ends. The bar is as long as the exchange token lasts. */
function ClockDrag() {
  const { model, act } = useConsole();
  const [wanted, setWanted] = useState(0);
  const now = useDemoTime(1_000);
  const end = model.overview?.clock.tokenEndsAt;
  const left = end == null ? TOKEN_MS : Math.max(1_000, end - now + 1_000);

  function move() {
    if (wanted > 0) void act.moveClock({ advanceMs: wanted });
    setWanted(0);
  }

  const text = texts.forward(countdown(wanted));
  return (
    <span className="clock-drag">
      <input
        type="range"
        aria-label={texts.moveClock}
        aria-valuetext={text}
        min={0}
        max={Math.floor(left / 1_000)}
        value={wanted / 1_000}
        onChange={({ target }) => setWanted(Number(target.value) * 1_000)}
        onPointerUp={move}
        onKeyUp={({ key }) => key === 'Enter' && move()}
        onBlur={move}
      />
      {wanted > 0 && <output className="clock-wanted">{text}</output>}
    </span>
  );
}
