/** All moves of the clock, and the skew of each party. */
import { type FormEvent, useState } from 'react';
import type { MoveClock, PartyName } from '../../../api.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { isMoved, skew } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';

const TEN_MINUTES_MS = 600_000;
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

export function TimeDialog({ onClose }: { onClose: () => void }) {
  const { model, act } = useConsole();
  const clock = model.overview?.clock;
  const noToken = clock?.tokenEndsAt == null;
  const moves = [
    ['beforeTokenEnd', { to: 'beforeTokenEnd' }, noToken],
    ['afterTokenEnd', { to: 'afterTokenEnd' }, noToken],
    ['afterSessionEnd', { to: 'afterSessionEnd' }, clock?.sessionEndsAt == null],
    ['tenMinutes', { advanceMs: TEN_MINUTES_MS }, false],
    ['oneDay', { advanceMs: DAY_MS }, false],
    ['clockBack', { to: 'now' }, !isMoved(clock)],
  ] as const satisfies readonly (readonly [string, MoveClock, boolean])[];
  return (
    <Dialog title={texts.clock} onClose={onClose}>
      <p className="row">
        {moves.map(([key, move, disabled]) => (
          <Button key={key} text={key} disabled={disabled} onClick={() => void act.moveClock(move)} />
        ))}
      </p>
      <p className="hint">{texts.clockBackText}</p>
      <h3>{texts.skewTitle}</h3>
      <p className="hint">{texts.skewText}</p>
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
        <span>{texts[party]}</span>{' '}
        <input
          className="btn"
          type="number"
          step="0.1"
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <Button type="submit" text={texts.setSkew} />
      <span>{skew(now)}</span>
    </form>
  );
}
