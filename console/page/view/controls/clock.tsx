/** The demo's clock, and its most wanted moves: a drag, or one click to a second before the token ends. */
import { type FormEvent, useState } from 'react';
import type { MoveClock, PartyName, Time } from '../../../api.ts';
import { useConsole, useDemoTime } from '../context.ts';
import { countdown, dayOf, isMoved, movedBy, partyNames, skew, timeOfDay } from '../format.ts';
import { Button, Dialog } from '../parts.tsx';

const TICK_MS = 100;
/** Without an exchange token the drag goes this far, as long as a token lasts. */
const TOKEN_MS = 600_000;

const BEFORE_TOKEN_END = '1 s before the token ends';

export function ClockBar() {
  const { model, act, setUi } = useConsole();
  const noToken = model.overview?.clock.tokenEndsAt == null;
  return (
    <div className="row clock-bar">
      <Reading />
      <ClockDrag />
      <Button
        text={BEFORE_TOKEN_END}
        disabled={noToken}
        title={noToken ? 'no exchange token is pending' : undefined}
        onClick={() => void act.moveClock({ to: 'beforeTokenEnd' })}
      />
      <Button text="Time…" onClick={() => setUi({ dialog: 'time' })} />
    </div>
  );
}

function Reading() {
  const { model } = useConsole();
  const now = useDemoTime(TICK_MS);
  return (
    <span className="clock-reading">
      <span className="visually-hidden">Clock </span>
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
      <Button className="text-button" text="Back to now" onClick={() => void act.moveClock({ to: 'now' })} />
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

  const text = `forward by ${countdown(wanted)}`;
  return (
    <span className="clock-drag">
      <input
        type="range"
        aria-label="Move the clock forward"
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

const TEN_MINUTES_MS = 600_000;
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

export function TimeDialog({ onClose }: { onClose: () => void }) {
  const { model, act } = useConsole();
  const clock = model.overview?.clock;
  const noToken = clock?.tokenEndsAt == null;
  const moves: readonly (readonly [text: string, move: MoveClock, isDisabled: boolean])[] = [
    [BEFORE_TOKEN_END, { to: 'beforeTokenEnd' }, noToken],
    ['Past the token’s end', { to: 'afterTokenEnd' }, noToken],
    ['Past the session’s end', { to: 'afterSessionEnd' }, clock?.sessionEndsAt == null],
    ['+10 min', { advanceMs: TEN_MINUTES_MS }, false],
    ['+1 day', { advanceMs: DAY_MS }, false],
    ['Back to now', { to: 'now' }, !isMoved(clock)],
  ];
  return (
    <Dialog title="Clock" onClose={onClose}>
      <p className="row">
        {moves.map(([text, move, disabled]) => (
          <Button key={text} text={text} disabled={disabled} onClick={() => void act.moveClock(move)} />
        ))}
      </p>
      <p className="hint">
        Back to now sets all clocks to the time of this machine. What was made meanwhile keeps its times: a
        phone may have to wait for its next code.
      </p>
      <h3>Skew of a party</h3>
      <p className="hint">
        Seconds by which the party’s own clock is ahead of the demo’s clock. The client is the one in this
        page.
      </p>
      <SkewForm party="client" />
      <SkewForm party="auth" />
      <SkewForm party="ehr" />
    </Dialog>
  );
}

function SkewForm({ party }: { party: PartyName }) {
  const { model, act } = useConsole();
  const now = model.overview?.clock.skewMs[party] ?? 0;
  const [typed, setTyped] = useState(String(now / SECOND_MS));

  function submit(event: FormEvent) {
    event.preventDefault();
    void act.moveClock({ party, skewMs: Math.round(Number(typed) * SECOND_MS) });
  }

  return (
    <form className="row skew-form" onSubmit={submit}>
      <label>
        <span>{partyNames[party]}</span>{' '}
        <input
          className="btn"
          type="number"
          step="0.1"
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <Button type="submit" text="Set" />
      <span>{skew(now)}</span>
    </form>
  );
}
