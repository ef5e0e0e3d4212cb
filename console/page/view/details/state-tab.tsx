/** What both servers hold now, or held at the chosen message of a saved run. What changed last is marked. */
import { useMemo } from 'react';
import type { Replay } from '../../../api.ts';
import { markedTables, stateAt } from '../../model/tables.ts';
import { useConsole, useDemoTime } from '../context.ts';
import { StateTableView } from './state-table.tsx';

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
  return tables.map((table) => <StateTableView key={table.party + table.table} table={table} now={now} />);
}

function StateOfReplay({ replay }: { replay: Replay }) {
  const { model, say } = useConsole();
  const { detail } = model;
  const tables = useMemo(() => {
    const details = Object.values(replay.details);
    return markedTables(stateAt(details, detail?.endedAt ?? 0), detail?.changes ?? []);
  }, [replay, detail]);
  return (
    <>
      {detail && <p className="hint">{say('stateAt', { id: detail.id })}</p>}
      {tables.map((table) => (
        <StateTableView key={table.party + table.table} table={table} now={detail?.endedAt ?? 0} />
      ))}
    </>
  );
}
