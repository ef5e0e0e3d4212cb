/** The head of the page: scenario, clock, and what is recorded. */
import { useConsole } from '../context.ts';
import { Button } from '../parts/button.tsx';
import { ClockBar } from './clock-bar.tsx';
import { ScenarioBar } from './scenario-bar.tsx';

export function Header() {
  const { say, setUi } = useConsole();
  return (
    <header className="header">
      <h1>{say('title')}</h1>
      <ScenarioBar />
      <div className="controls">
        <ClockBar />
        <div className="row record-bar">
          <Button text="record" onClick={() => setUi({ dialog: 'record' })} />
          <Button text="reset" onClick={() => setUi({ dialog: 'reset' })} />
        </div>
      </div>
    </header>
  );
}
