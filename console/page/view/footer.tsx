/** The foot of the page: how it stands with the parties, the verdicts and the patient's data. */
import { verdictsShown } from '../model/model.ts';
import { type Language, languageNames, languages } from '../texts/texts.ts';
import { useConsole } from './context.ts';

export function Footer() {
  const { model, act, say, setUi } = useConsole();
  const { connection, alarm, overview } = model;
  return (
    <footer className="footer">
      <span className={connection === 'live' ? 'is-good' : 'is-bad'} role="status">
        <span aria-hidden="true">● </span>
        <span>{say(connection === 'refused' ? 'lost' : connection)}</span>
      </span>
      <Counts />
      <span className={alarm ? 'is-bad' : ''}>{say(alarm ? 'privacySome' : 'privacyNone')}</span>
      <span className="grow" />
      {overview && <span>{say('seed', { n: overview.seed })}</span>}
      <label className="switch">
        <input
          type="checkbox"
          checked={model.inClear}
          onChange={({ target }) => act.showInClear(target.checked)}
        />
        <span>{say('showSecrets')}</span>
      </label>
      <button type="button" className="text-button" onClick={() => setUi({ tour: true, view: 'lanes' })}>
        {say('tourButton')}
      </button>
      <button type="button" className="text-button" onClick={() => setUi({ dialog: 'keys' })}>
        {`${say('keysButton')} (?)`}
      </button>
      <LanguageChoice />
    </footer>
  );
}

function Counts() {
  const { model, say } = useConsole();
  const verdicts = verdictsShown(model);
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail').length;
  const held = verdicts.filter(({ outcome }) => outcome === 'pass').length;
  return (
    <span>
      <span>{say('holdCount', { n: held })}</span>
      {failed > 0 && <b className="is-bad">{` · ${say('failCount', { n: failed })}`}</b>}
    </span>
  );
}

function LanguageChoice() {
  const { say, language, setLanguage } = useConsole();
  return (
    <select
      className="btn"
      aria-label={say('language')}
      value={language}
      onChange={({ target }) => setLanguage(target.value as Language)}
    >
      {languages.map((one) => (
        <option key={one} value={one} lang={one}>
          {languageNames[one]}
        </option>
      ))}
    </select>
  );
}
