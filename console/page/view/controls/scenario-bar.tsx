/** The scenarios: choose one, play, pause, make one step, take over. */
import { useState } from 'react';
import { scenarioIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';

export function ScenarioBar() {
  const { model, act, say } = useConsole();
  const state = model.overview?.scenario;
  const [picked, setPicked] = useState('');
  const chosen = picked || (state?.id ?? '');
  // Without an id the scenario goes on from where it stands; with one it begins.
  const begun = state?.id === chosen && ['playing', 'paused'].includes(state.phase);
  const which = begun ? {} : { id: chosen };
  const playing = state?.phase === 'playing';

  function takeOver() {
    setPicked('');
    void act.scenario({ do: 'takeOver' });
  }

  return (
    <div className="row scenario-bar">
      <ScenarioChoice chosen={chosen} onChoose={setPicked} />
      <PlayButton
        playing={playing}
        chosen={chosen}
        onPlay={() => void act.scenario({ do: 'play', ...which })}
      />
      <button
        type="button"
        className="btn"
        disabled={chosen === '' || playing}
        onClick={() => void act.scenario({ do: 'step', ...which })}
      >
        {say('stepScenario')}
      </button>
      <button type="button" className="btn" disabled={state?.id == null} onClick={takeOver}>
        {say('takeOver')}
      </button>
    </div>
  );
}

function ScenarioChoice({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const { model, say, language } = useConsole();
  return (
    <select
      className="btn scenario-select"
      aria-label={say('scenario')}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    >
      <option value="">{`${say('scenario')}: ${say('noScenario')}`}</option>
      {model.overview?.scenarios.map((scenario) => {
        const { title, lang } = scenarioIn(language, scenario);
        return (
          <option key={scenario.id} value={scenario.id} lang={lang}>
            {title}
          </option>
        );
      })}
    </select>
  );
}

function PlayButton({ playing, chosen, onPlay }: { playing: boolean; chosen: string; onPlay: () => void }) {
  const { act, say } = useConsole();
  if (playing)
    return (
      <button type="button" className="btn btn-primary" onClick={() => void act.scenario({ do: 'pause' })}>
        {`❚❚ ${say('pauseScenario')}`}
      </button>
    );
  return (
    <button type="button" className="btn btn-primary" disabled={chosen === ''} onClick={onPlay}>
      {`▶ ${say('play')}`}
    </button>
  );
}
