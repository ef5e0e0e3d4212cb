/** The page: its three parts between header and footer, and the dialog that is open. */
import { Component, type ReactNode, useMemo, useState, useSyncExternalStore } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Wire } from '../../api.ts';
import type { OpenedLink } from '../connection/address.ts';
import type { Controller } from '../model/controller.ts';
import { isHidden, noFilter } from '../model/lines.ts';
import { isDataLost, rowsShown, type Store, verdictsShown } from '../model/model.ts';
import { texts } from '../texts.ts';
import { ClientPanel, OwnClientDialog } from './client/client-panel.tsx';
import { createFormFiller } from './client/form-filler.ts';
import { type ConsoleContext, Context, type Ui, useConsole } from './context.ts';
import { ClockBar, TimeDialog } from './controls/clock.tsx';
import { RecordDialog, useDroppedRun } from './controls/record-dialog.tsx';
import { ReplayClock, RunPanel } from './controls/saved-run.tsx';
import { ScenarioBar } from './controls/scenario.tsx';
import { TroubleDialog } from './controls/trouble-dialog.tsx';
import { DetailsPanel } from './details/details-panel.tsx';
import { Gate } from './gate.tsx';
import { KeysDialog, useKeyboard } from './keyboard.tsx';
import { LanePanel } from './lanes/lane-panel.tsx';
import { LegendDialog } from './lanes/legend-dialog.tsx';
import { Button, ConfirmDialog, Dialog } from './parts.tsx';

type AppProps = {
  store: Store;
  act: Controller;
  clock: Clock;
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** What the link of the address opens. */
  opened: OpenedLink | undefined;
};

const EXPLAINED_KEY = 'console-explained';

export function App({ opened, ...parts }: AppProps) {
  const context = useContextOf(parts);
  return (
    <Context value={context}>
      <ErrorBoundary onReload={() => window.location.reload()}>
        {context.model.connection === 'refused' ? <Gate opened={opened} /> : <Frame opened={opened} />}
      </ErrorBoundary>
    </Context>
  );
}

function useContextOf({ store, act, clock, storage }: Omit<AppProps, 'opened'>): ConsoleContext {
  const model = useSyncExternalStore(store.subscribe, store.current);
  const [ui, setUi] = useState<Ui>(() => {
    const tour = storage.getItem(EXPLAINED_KEY) === null;
    const nothing = { dialog: undefined, scenario: '', tourRun: undefined } as const;
    return { view: 'lanes', tab: 'message', pace: 'walking', tour, ...nothing };
  });
  const filler = useMemo(createFormFiller, []);

  const changeUi = (change: Partial<Ui>) => {
    if (change.tour === false) storage.setItem(EXPLAINED_KEY, 'yes');
    setUi((before) => ({ ...before, ...change }));
  };
  const show = (message: number) => {
    if (isHidden(message, rowsShown(model), model.filter)) act.filter(noFilter);
    void act.choose(message);
    changeUi({ tab: 'message', view: 'details' });
  };
  return { model, act, ui, setUi: changeUi, filler, clock, show };
}

function Frame({ opened }: Pick<AppProps, 'opened'>) {
  const { model, act, ui } = useConsole();
  const { problem } = model;
  useKeyboard();
  useDroppedRun();
  return (
    <div className="console" data-view={ui.view} data-replay={model.replay !== undefined}>
      <a className="skip" href="#lanes">
        {texts.skip}
      </a>
      <Header />
      <Views />
      {problem && (
        <p className="problem" role="alert">
          <span>{problem}</span> <Button text={texts.close} onClick={act.forgetProblem} />
        </p>
      )}
      <main className="columns" id="lanes" tabIndex={-1}>
        {model.replay && <RunPanel replay={model.replay} />}
        <ClientPanel />
        <LanePanel />
        <DetailsPanel />
      </main>
      <Footer />
      <OpenDialog opened={opened} />
    </div>
  );
}

const VIEWS: readonly (readonly [Ui['view'], string])[] = [
  ['client', texts.client],
  ['lanes', texts.viewLanes],
  ['details', texts.details],
  ['controls', texts.viewControls],
];

/** On a narrow screen one part is shown at a time. */
function Views() {
  const { ui, setUi } = useConsole();
  return (
    <nav className="views" aria-label={texts.views}>
      {VIEWS.map(([view, text]) => (
        <Button
          key={view}
          className={`tab view-button view-button-${view}`}
          text={text}
          aria-current={ui.view === view}
          onClick={() => setUi({ view })}
        />
      ))}
    </nav>
  );
}

function OpenDialog({ opened }: Pick<AppProps, 'opened'>) {
  const { model, ui, setUi } = useConsole();
  const [asked, setAsked] = useState(false);
  const onClose = () => setUi({ dialog: undefined });
  if (opened && model.overview && !asked)
    return <MomentDialog opened={opened} onClose={() => setAsked(true)} />;
  switch (ui.dialog) {
    case undefined:
      return null;
    case 'time':
      return <TimeDialog onClose={onClose} />;
    case 'record':
      return <RecordDialog onClose={onClose} />;
    case 'ownClient':
      return <OwnClientDialog onClose={onClose} />;
    case 'keys':
      return <KeysDialog onClose={onClose} />;
    case 'legend':
      return <LegendDialog onClose={onClose} />;
    case 'reset':
      return <ResetDialog onClose={onClose} />;
    default:
      return <TroubleDialog wire={ui.dialog.slice('trouble:'.length) as Wire} onClose={onClose} />;
  }
}

/** Asks before the demo is emptied: what it holds, and who is signed in, is lost by it. */
function ResetDialog({ onClose }: { onClose: () => void }) {
  const { act } = useConsole();
  return (
    <ConfirmDialog
      title={texts.resetTitle}
      confirm={texts.reset}
      onConfirm={() => void act.reset()}
      onClose={onClose}
    >
      <p>{texts.resetText}</p>
      <p className="hint">{texts.resetOwnWindow}</p>
    </ConfirmDialog>
  );
}

type ErrorBoundaryProps = { onReload: () => void; children: ReactNode };

class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    const { onReload, children } = this.props;
    return this.state.failed ? <Broken onReload={onReload} /> : children;
  }
}

function Broken({ onReload }: Pick<ErrorBoundaryProps, 'onReload'>) {
  return (
    <main className="gate" id="lanes" role="alert">
      <h1>{texts.brokenTitle}</h1>
      <p>{texts.brokenText}</p>
      <p>
        <Button className="btn btn-primary" text={texts.reload} onClick={onReload} />
      </p>
    </main>
  );
}

function Header() {
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

function Footer() {
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

function MomentDialog({ opened, onClose }: { opened: OpenedLink; onClose: () => void }) {
  const { model, act, setUi } = useConsole();
  if (!('moment' in opened)) {
    const { version } = opened;
    return (
      <Dialog title={texts.momentUnread} onClose={onClose}>
        <p>{version === undefined ? texts.momentBroken : texts.momentVersion(version)}</p>
      </Dialog>
    );
  }
  const { moment } = opened;
  const seed = model.overview?.seed ?? moment.seed;
  return (
    <ConfirmDialog
      title={texts.momentTitle}
      confirm={texts.momentOpen}
      onConfirm={() => {
        setUi({ tour: false });
        void act.openMoment(moment);
      }}
      onClose={onClose}
    >
      <p>{texts.momentText}</p>
      {seed !== moment.seed && <p>{texts.momentSeeds(seed, moment.seed)}</p>}
    </ConfirmDialog>
  );
}
