/** The scenarios: choose one, play, pause, make one step, take over. */
import { useState } from 'react';
import { scenarioIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';

export function ScenarioBar() {
  const { model, act, say, language } = useConsole();
  const scenarios = model.overview?.scenarios ?? [];
  const state = model.overview?.scenario;
  const [picked, setPicked] = useState('');
  const chosen = picked || (state?.id ?? '');
  // Without an id the scenario goes on from where it stands; with one it begins.
  const begun = state?.id === chosen && ['playing', 'paused'].includes(state.phase);
  const which = begun ? {} : { id: chosen };
  const playing = state?.phase === 'playing';
  return (
    <div className="row scenario-bar">
      <select
        className="btn scenario-select"
        aria-label={say('scenario')}
        value={chosen}
        onChange={({ target }) => setPicked(target.value)}
      >
        <option value="">{`${say('scenario')}: ${say('noScenario')}`}</option>
        {scenarios.map((scenario) => {
          const { title, lang } = scenarioIn(language, scenario);
          return (
            <option key={scenario.id} value={scenario.id} lang={lang}>
              {title}
            </option>
          );
        })}
      </select>
      {playing ? (
        <button type="button" className="btn btn-primary" onClick={() => void act.scenario({ do: 'pause' })}>
          ❚❚ {say('pauseScenario')}
        </button>
      ) : (
        <button
          type="button"
          className="btn btn-primary"
          disabled={chosen === ''}
          onClick={() => void act.scenario({ do: 'play', ...which })}
        >
          ▶ {say('play')}
        </button>
      )}
      <button
        type="button"
        className="btn"
        disabled={chosen === '' || playing}
        onClick={() => void act.scenario({ do: 'step', ...which })}
      >
        {say('stepScenario')}
      </button>
      <button
        type="button"
        className="btn"
        disabled={state?.id == null}
        onClick={() => {
          setPicked('');
          void act.scenario({ do: 'takeOver' });
        }}
      >
        {say('takeOver')}
      </button>
    </div>
  );
}
