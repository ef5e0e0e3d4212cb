/** The scenarios: choose one, play, pause, make one step, take over. */
import { useState } from 'react';
import { scenarioIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { Button } from '../parts/button.tsx';
import { type Option, Select } from '../parts/select.tsx';

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
    <div className="row">
      <ScenarioChoice chosen={chosen} onChoose={setPicked} />
      <Button
        className="btn btn-primary"
        disabled={chosen === '' && !playing}
        onClick={() => void act.scenario(playing ? { do: 'pause' } : { do: 'play', ...which })}
      >
        {playing ? `❚❚ ${say('pause')}` : `▶ ${say('play')}`}
      </Button>
      <Button
        text="step"
        disabled={chosen === '' || playing}
        onClick={() => void act.scenario({ do: 'step', ...which })}
      />
      <Button text="takeOver" disabled={state?.id == null} onClick={takeOver} />
    </div>
  );
}

function ScenarioChoice({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const { model, say, language } = useConsole();
  const options = (model.overview?.scenarios ?? []).map((scenario): Option => {
    const { title, lang } = scenarioIn(language, scenario);
    return [scenario.id, title, lang];
  });
  return (
    <Select
      className="btn scenario-select"
      aria-label={say('scenario')}
      value={chosen}
      options={[['', `${say('scenario')}: ${say('noScenario')}`], ...options]}
      onChoose={onChoose}
    />
  );
}
