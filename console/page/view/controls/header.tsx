/** The head of the page: scenario, clock, and what is recorded. */
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { Button } from '../parts/button.tsx';
import { ClockBar } from './clock-bar.tsx';
import { ReplayClock } from './replay-bar.tsx';
import { ScenarioBar } from './scenario-bar.tsx';

export function Header() {
  const { model, setUi } = useConsole();
  const { replay } = model;
  return (
    <header className="header">
      <h1>{texts.title}</h1>
      {!replay && <ScenarioBar />}
      <div className="controls">
        {replay ? <ReplayClock replay={replay} /> : <ClockBar />}
        <div className="row record-bar">
          <Button text={texts.record} onClick={() => setUi({ dialog: 'record' })} />
          {!replay && <Button text={texts.reset} onClick={() => setUi({ dialog: 'reset' })} />}
        </div>
      </div>
    </header>
  );
}
