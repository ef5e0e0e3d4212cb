/** The middle of the page: the three parties, the wires between them, and every message that crossed. */
import { useEffect, useMemo, useRef } from 'react';
import type { Alarm } from '../../../api.ts';
import { filtered, linesOf } from '../../model/lines.ts';
import { alarmShown, rowsShown } from '../../model/model.ts';
import { useConsole } from '../context.ts';
import { ReplayBar } from '../controls/saved-run.tsx';
import { ScenarioSteps } from '../controls/scenario.tsx';
import { Button, MessageLink } from '../parts.tsx';
import { LaneHeads } from './lane-heads.tsx';
import { LaneList, withTourSteps } from './lane-list.tsx';
import { LaneTools } from './lane-tools.tsx';
import { Tour } from './tour.tsx';

export function LanePanel() {
  const { model, ui } = useConsole();
  const { filter } = model;
  const rows = rowsShown(model);
  const lines = useMemo(() => linesOf(filtered(rows, filter)), [rows, filter]);
  const isTold = ui.tourRun === model.timesEmptied && !model.replay;
  const told = useMemo(() => (isTold ? withTourSteps(lines) : lines), [isTold, lines]);
  const alarm = alarmShown(model);
  return (
    <section className="panel lane-panel" aria-label="Exchange">
      <h2 className="visually-hidden">Exchange</h2>
      {model.replay ? <ReplayBar replay={model.replay} /> : !ui.tour && <ScenarioSteps />}
      {alarm && <AlarmBox alarm={alarm} />}
      <LaneTools />
      <LaneHeads />
      <div className="lane-ground">{ui.tour ? <Tour /> : <LaneList lines={told} />}</div>
    </section>
  );
}

function AlarmBox({ alarm }: { alarm: Alarm }) {
  const { act, show } = useConsole();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="alarm" role="alert" tabIndex={-1} ref={box}>
      <h2>Patient data crossed toward the authorization server</h2>
      <p>
        <span>
          This must never happen: who a patient is goes to the EHR server alone. The page has stopped at this
          message:
        </span>{' '}
        <MessageLink id={alarm.message} />
      </p>
      <ul>
        {alarm.found.map((found) => (
          <li key={found}>{found}</li>
        ))}
      </ul>
      <p className="row alarm-acts">
        <Button text="Show the message" onClick={() => show(alarm.message)} />
        <Button text="Go on" onClick={act.goOnAfterAlarm} />
      </p>
    </div>
  );
}
