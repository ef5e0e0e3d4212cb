/** The page: its three parts between header and footer, and the dialog that is open. */
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Wire } from '../../api.ts';
import type { Controller } from '../model/controller.ts';
import { isHidden, noFilter } from '../model/filter.ts';
import { rowsShown } from '../model/model.ts';
import type { OpenedLink } from '../model/moment-link.ts';
import type { Store } from '../model/store.ts';
import { texts } from '../texts.ts';
import { ClientPanel } from './client/client-panel.tsx';
import { createFormFiller } from './client/form-filler.ts';
import { OwnClientDialog } from './client/own-client-dialog.tsx';
import { RunPanel } from './client/run-panel.tsx';
import { type ConsoleContext, Context, type Ui, useConsole } from './context.ts';
import { Header } from './controls/header.tsx';
import { KeysDialog } from './controls/keys-dialog.tsx';
import { RecordDialog, useDroppedRun } from './controls/record-dialog.tsx';
import { TimeDialog } from './controls/time-dialog.tsx';
import { TroubleDialog } from './controls/trouble-dialog.tsx';
import { DetailsPanel } from './details/details-panel.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Footer } from './footer.tsx';
import { Gate } from './gate.tsx';
import { useKeyboard } from './keyboard.ts';
import { LanePanel } from './lanes/lane-panel.tsx';
import { LegendDialog } from './lanes/legend-dialog.tsx';
import { MomentDialog } from './moment-dialog.tsx';
import { Button } from './parts/button.tsx';
import { ConfirmDialog } from './parts/dialog.tsx';

export type AppProps = {
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
    const nothing = { dialog: undefined, scenario: '', toldRun: undefined } as const;
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
  useDroppedRun((text) => void act.replay(text));
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
