/** What both servers hold now, or held at the chosen message of a saved run. What changed last is marked. */
import { useMemo } from 'react';
import type { Replay } from '../../../api.ts';
import { markedTables, stateAt } from '../../model/tables.ts';
import { texts } from '../../texts.ts';
import { useConsole, useDemoTime } from '../context.ts';
import { MessageLink } from '../parts/links.tsx';
import { StateTables } from './state-table.tsx';

/** Often enough for the tenths of a token's last minute. */
const COUNTDOWN_MS = 200;

export function StateTab() {
  const { model } = useConsole();
  return model.replay ? <StateOfReplay replay={model.replay} /> : <LiveState />;
}

function LiveState() {
  const { model } = useConsole();
  const now = useDemoTime(COUNTDOWN_MS);
  const tables = useMemo(() => markedTables(model.state, model.changes), [model.state, model.changes]);
  return <StateTables tables={tables} now={now} />;
}

function StateOfReplay({ replay }: { replay: Replay }) {
  const { model } = useConsole();
  const { detail } = model;
  const now = detail?.endedAt ?? 0;
  const tables = useMemo(
    () => markedTables(stateAt(Object.values(replay.details), now), detail?.changes ?? []),
    [replay, detail, now],
  );
  return (
    <>
      {detail && (
        <p className="hint">
          <span>{texts.stateAt}</span> <MessageLink id={detail.id} />
        </p>
      )}
      <StateTables tables={tables} now={now} />
    </>
  );
}
