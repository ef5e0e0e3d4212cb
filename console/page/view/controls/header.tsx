/** The head of the page: scenario, clock, and what is recorded. */
import { useConsole } from '../context.ts';
import { ClockBar } from './clock-bar.tsx';
import { ScenarioBar } from './scenario-bar.tsx';

export function Header() {
  const { say, setUi } = useConsole();
  return (
    <header className="header">
      <h1>{say('title')}</h1>
      <div className="controls">
        <ScenarioBar />
        <ClockBar />
        <div className="row record-bar">
          <button type="button" className="btn" onClick={() => setUi({ dialog: 'record' })}>
            {say('record')}
          </button>
          <button type="button" className="btn" onClick={() => setUi({ dialog: 'reset' })}>
            {say('reset')}
          </button>
        </div>
      </div>
    </header>
  );
}
