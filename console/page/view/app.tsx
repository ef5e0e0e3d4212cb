/** The page: its three parts between header and footer, and the dialog that is open. */
import { Component, type DragEvent, type ReactNode, useMemo, useState, useSyncExternalStore } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { OpenedLink } from '../connection/address.ts';
import { type Controller, NO_ANSWER } from '../model/controller.ts';
import { isHidden, noFilter } from '../model/lines.ts';
import { hasLeaked, type Model, rowsShown, type Store, verdictsShown } from '../model/model.ts';
import { ClientPanel, OwnClientDialog } from './client/client-panel.tsx';
import { createFormFiller } from './client/form-filler.ts';
import { type ConsoleContext, Context, type NamedDialog, type Ui, useConsole } from './context.ts';
import { ClockBar, TimeDialog } from './controls/clock.tsx';
import { RecordDialog, useOpenRun } from './controls/record-dialog.tsx';
import { ReplayClock, RunPanel } from './controls/saved-run.tsx';
import { ScenarioBar } from './controls/scenario.tsx';
import { TroubleDialog } from './controls/trouble-dialog.tsx';
import { DetailsPanel } from './details/details-panel.tsx';
import { partyNames } from './format.ts';
import { KeysDialog, useKeyboard } from './keyboard.tsx';
import { LanePanel } from './lanes/lane-panel.tsx';
import { LegendDialog } from './lanes/legend-dialog.tsx';
import { LockedPage } from './locked-page.tsx';
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
      <ErrorBoundary>
        {context.model.connection === 'refused' ? <LockedPage opened={opened} /> : <Frame opened={opened} />}
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
  const openRun = useOpenRun();

  /** Takes a run.json that is dropped anywhere on the page. */
  function onDrop(event: DragEvent) {
    event.preventDefault();
    openRun(event.dataTransfer.files[0]);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard opens a run in the dialog of records
    <div
      className="console"
      data-view={ui.view}
      data-replay={model.replay !== undefined}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      <a className="skip" href="#lanes">
        Skip to the exchange
      </a>
      <Header />
      <Views />
      {problem && (
        <p className="problem" role="alert">
          <span>{problem}</span> <Button text="Close" onClick={act.forgetProblem} />
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
  ['client', partyNames.client],
  ['lanes', 'Exchange'],
  ['details', 'Details'],
  ['controls', 'Controls'],
];

/** On a narrow screen one part is shown at a time. */
function Views() {
  const { ui, setUi } = useConsole();
  return (
    <nav className="views" aria-label="Parts of the page">
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

const dialogs: Readonly<Record<NamedDialog, typeof OwnClientDialog>> = {
  time: TimeDialog,
  record: RecordDialog,
  ownClient: OwnClientDialog,
  keys: KeysDialog,
  legend: LegendDialog,
  reset: ResetDialog,
};

function OpenDialog({ opened }: Pick<AppProps, 'opened'>) {
  const { model, ui, setUi } = useConsole();
  const [asked, setAsked] = useState(false);
  const onClose = () => setUi({ dialog: undefined });
  if (opened && model.overview && !asked)
    return <MomentDialog opened={opened} onClose={() => setAsked(true)} />;
  const { dialog } = ui;
  if (dialog === undefined) return null;
  if (typeof dialog === 'object') return <TroubleDialog wire={dialog.troubleOn} onClose={onClose} />;
  const Named = dialogs[dialog];
  return <Named onClose={onClose} />;
}

/** Asks before the demo is emptied: what it holds, and who is signed in, is lost by it. */
function ResetDialog({ onClose }: { onClose: () => void }) {
  const { act } = useConsole();
  return (
    <ConfirmDialog
      title="Reset the demo?"
      confirm="Reset"
      onConfirm={() => void act.reset()}
      onClose={onClose}
    >
      <p>
        Both servers are emptied, the clocks are set right, all trouble is switched off, and what crossed is
        forgotten. The client on this page starts again with an empty memory.
      </p>
      <p className="hint">A client in a window of its own keeps what it has: please log out there.</p>
    </ConfirmDialog>
  );
}

class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <Broken /> : this.props.children;
  }
}

function Broken() {
  return (
    <main className="page-without-lanes" id="lanes" role="alert">
      <h1>This page cannot be shown</h1>
      <p>
        Another program may have changed it, such as a translator. Please switch that off and reload the page.
        The demo goes on.
      </p>
      <p>
        <Button className="btn btn-primary" text="Reload the page" onClick={() => window.location.reload()} />
      </p>
    </main>
  );
}

function Header() {
  const { model, setUi } = useConsole();
  const { replay } = model;
  return (
    <header className="header">
      <h1>The exchange, live</h1>
      {!replay && <ScenarioBar />}
      <div className="controls">
        {replay ? <ReplayClock replay={replay} /> : <ClockBar />}
        <div className="row record-bar">
          <Button text="Record…" onClick={() => setUi({ dialog: 'record' })} />
          {!replay && <Button text="Reset" onClick={() => setUi({ dialog: 'reset' })} />}
        </div>
      </div>
    </header>
  );
}

const CONNECTION_WORDS: Readonly<Record<Model['connection'], string>> = {
  connecting: 'Connecting…',
  live: 'Three parties, live',
  lost: NO_ANSWER,
  refused: NO_ANSWER,
};

function Footer() {
  const { model, act, setUi } = useConsole();
  const { connection, overview, replay } = model;
  const isLeaked = hasLeaked(model);
  return (
    <footer className="row footer">
      <span className={connection === 'live' ? 'is-good' : 'is-bad'} role="status">
        <span aria-hidden="true">● </span>
        <span>{replay ? 'A saved run, not live' : CONNECTION_WORDS[connection]}</span>
      </span>
      <Counts />
      <span className={isLeaked ? 'is-bad' : ''}>
        {isLeaked
          ? 'Patient data reached the authorization server'
          : 'Patient data at the authorization server: none'}
      </span>
      <span className="grow" />
      {overview && !replay && (
        <Button
          className="text-button footer-seed"
          text={`seed ${overview.seed}`}
          onClick={() => setUi({ dialog: 'legend' })}
        />
      )}
      <label className="switch">
        <input
          type="checkbox"
          checked={model.inClear}
          onChange={({ target }) => act.showInClear(target.checked)}
        />
        <span>Show secrets (demo data)</span>
      </label>
      <Button
        className="text-button"
        text="Why the exchange token?"
        onClick={() => setUi({ tour: true, view: 'lanes' })}
      />
      <Button className="text-button" text="Keys (?)" onClick={() => setUi({ dialog: 'keys' })} />
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
      <span>{`clauses hold: ${count('pass')}`}</span>
      {failed > 0 && <b className="is-bad">{` · broken: ${failed}`}</b>}
    </span>
  );
}

function MomentDialog({ opened, onClose }: { opened: OpenedLink; onClose: () => void }) {
  const { model, act, setUi } = useConsole();
  if (!('moment' in opened)) {
    const { version } = opened;
    return (
      <Dialog title="This link cannot be opened" onClose={onClose}>
        <p>
          {version === undefined
            ? 'No situation can be read from it: perhaps it was cut short. The demo stays as it is.'
            : `Its situation has version ${version}, and this demo reads version 1. The demo stays as it is.`}
        </p>
      </Dialog>
    );
  }
  const { moment } = opened;
  const seed = model.overview?.seed ?? moment.seed;
  return (
    <ConfirmDialog
      title="Open this situation?"
      confirm="Reset and open"
      onConfirm={() => {
        setUi({ tour: false });
        void act.openMoment(moment);
      }}
      onClose={onClose}
    >
      <p>The demo is reset first: nobody stays signed in.</p>
      {seed !== moment.seed && (
        <p>{`Its population comes from seed ${seed}; the link was made with seed ${moment.seed}.`}</p>
      )}
    </ConfirmDialog>
  );
}
