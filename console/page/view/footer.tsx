/** The foot of the page: how it stands with the parties, the verdicts and the patient's data. */
import { isDataLost, verdictsShown } from '../model/model.ts';
import { type Language, languageNames, languages } from '../texts/texts.ts';
import { useConsole } from './context.ts';
import { Button } from './parts/button.tsx';
import { Select } from './parts/select.tsx';

export function Footer() {
  const { model, act, say, setUi, language, setLanguage } = useConsole();
  const { connection, overview, replay } = model;
  const isLost = isDataLost(model);
  return (
    <footer className="row footer">
      <span className={connection === 'live' ? 'is-good' : 'is-bad'} role="status">
        <span aria-hidden="true">● </span>
        <span>{say(replay ? 'saved' : connection === 'refused' ? 'lost' : connection)}</span>
      </span>
      <Counts />
      <span className={isLost ? 'is-bad' : ''}>{say(isLost ? 'privacySome' : 'privacyNone')}</span>
      <span className="grow" />
      {overview && !replay && (
        <Button
          className="text-button footer-seed"
          text="seed"
          values={{ n: overview.seed }}
          onClick={() => setUi({ dialog: 'legend' })}
        />
      )}
      <label className="switch">
        <input
          type="checkbox"
          checked={model.inClear}
          onChange={({ target }) => act.showInClear(target.checked)}
        />
        <span>{say('showSecrets')}</span>
      </label>
      <Button
        className="text-button"
        text="tourButton"
        onClick={() => setUi({ tour: true, view: 'lanes' })}
      />
      <Button className="text-button" onClick={() => setUi({ dialog: 'keys' })}>
        {`${say('keys')} (?)`}
      </Button>
      <Select
        aria-label={say('language')}
        value={language}
        options={languages.map((one) => [one, languageNames[one], one])}
        onChoose={(chosen) => setLanguage(chosen as Language)}
      />
    </footer>
  );
}

function Counts() {
  const { model, say } = useConsole();
  const verdicts = verdictsShown(model);
  const count = (wanted: string) => verdicts.filter(({ outcome }) => outcome === wanted).length;
  const failed = count('fail');
  return (
    <span>
      <span>{say('holdCount', { n: count('pass') })}</span>
      {failed > 0 && <b className="is-bad">{` · ${say('failCount', { n: failed })}`}</b>}
    </span>
  );
}
