/** The middle of the page: the three parties, the wires between them, and every message that crossed. */
import { useMemo } from 'react';
import { filtered } from '../../model/filter.ts';
import { linesOf } from '../../model/lines.ts';
import { alarmShown, rowsShown } from '../../model/model.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { ReplayBar } from '../controls/replay-bar.tsx';
import { ScenarioSteps } from '../controls/scenario-steps.tsx';
import { AlarmBox } from './alarm-box.tsx';
import { LaneHeads } from './lane-heads.tsx';
import { LaneList } from './lane-list.tsx';
import { LaneTools } from './lane-tools.tsx';
import { withTold } from './told.tsx';
import { Tour } from './tour.tsx';

export function LanePanel() {
  const { model, ui } = useConsole();
  const { filter } = model;
  const rows = rowsShown(model);
  const lines = useMemo(() => linesOf(filtered(rows, filter)), [rows, filter]);
  const isTold = ui.toldRun === model.timesEmptied && !model.replay;
  const told = useMemo(() => (isTold ? withTold(lines) : lines), [isTold, lines]);
  const alarm = alarmShown(model);
  return (
    <section className="panel lane-panel" aria-label={texts.viewLanes}>
      <h2 className="visually-hidden">{texts.viewLanes}</h2>
      {model.replay ? <ReplayBar replay={model.replay} /> : !ui.tour && <ScenarioSteps />}
      {alarm && <AlarmBox alarm={alarm} />}
      <LaneTools />
      <LaneHeads />
      <div className="lane-ground">{ui.tour ? <Tour /> : <LaneList lines={told} />}</div>
    </section>
  );
}
