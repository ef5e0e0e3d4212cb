/** The foot of the page: how it stands with the parties, the verdicts and the patient's data. */
import { isDataLost, verdictsShown } from '../model/model.ts';
import { texts } from '../texts.ts';
import { useConsole } from './context.ts';
import { Button } from './parts/button.tsx';

export function Footer() {
  const { model, act, setUi } = useConsole();
  const { connection, overview, replay } = model;
  const isLost = isDataLost(model);
  return (
    <footer className="row footer">
      <span className={connection === 'live' ? 'is-good' : 'is-bad'} role="status">
        <span aria-hidden="true">● </span>
        <span>{texts[replay ? 'saved' : connection === 'refused' ? 'lost' : connection]}</span>
      </span>
      <Counts />
      <span className={isLost ? 'is-bad' : ''}>{isLost ? texts.privacySome : texts.privacyNone}</span>
      <span className="grow" />
      {overview && !replay && (
        <Button
          className="text-button footer-seed"
          text={texts.seed(overview.seed)}
          onClick={() => setUi({ dialog: 'legend' })}
        />
      )}
      <label className="switch">
        <input
          type="checkbox"
          checked={model.inClear}
          onChange={({ target }) => act.showInClear(target.checked)}
        />
        <span>{texts.showSecrets}</span>
      </label>
      <Button
        className="text-button"
        text={texts.tourButton}
        onClick={() => setUi({ tour: true, view: 'lanes' })}
      />
      <Button className="text-button" onClick={() => setUi({ dialog: 'keys' })}>
        {`${texts.keys} (?)`}
      </Button>
    </footer>
  );
}

function Counts() {
  const { model } = useConsole();
  const verdicts = verdictsShown(model);
  const count = (wanted: string) => verdicts.filter(({ outcome }) => outcome === wanted).length;
  const failed = count('fail');
  return (
    <span>
      <span>{texts.holdCount(count('pass'))}</span>
      {failed > 0 && <b className="is-bad">{` · ${texts.failCount(failed)}`}</b>}
    </span>
  );
}
