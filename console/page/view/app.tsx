/** The page: its three parts between header and footer, and the dialog that is open. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Moment, Wire } from '../../api.ts';
import type { Controller } from '../model/controller.ts';
import type { Store } from '../model/store.ts';
import { type Language, languageFor, sayIn } from '../texts/texts.ts';
import { ClientPanel } from './client/client-panel.tsx';
import { createFormFiller } from './client/form-filler.ts';
import { OwnClientDialog } from './client/own-client-dialog.tsx';
import { type ConsoleContext, Context, type Ui, useConsole, type View } from './context.ts';
import { Header } from './controls/header.tsx';
import { KeysDialog } from './controls/keys-dialog.tsx';
import { MomentDialog } from './controls/moment-dialog.tsx';
import { RecordDialog } from './controls/record-dialog.tsx';
import { ResetDialog } from './controls/reset-dialog.tsx';
import { TimeDialog } from './controls/time-dialog.tsx';
import { TroubleDialog } from './controls/trouble-dialog.tsx';
import { DetailsPanel } from './details/details-panel.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Footer } from './footer.tsx';
import { Gate } from './gate.tsx';
import { useKeyboard } from './keyboard.ts';
import { LanePanel } from './lanes/lane-panel.tsx';
import { useDroppedRun } from './use-dropped-run.ts';

export type AppProps = {
  store: Store;
  act: Controller;
  clock: Clock;
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** The situation of the link that was opened. */
  moment: Moment | undefined;
};

const LANGUAGE_KEY = 'console-language';
/** Where the client keeps its language. Its page in the frame has the same storage, and follows it. */
const CLIENT_LANGUAGE_KEY = 'my-records.language';
const EXPLAINED_KEY = 'console-explained';

export function App({ store, act, clock, storage, moment }: AppProps) {
  const model = useSyncExternalStore(store.subscribe, store.current);
  const [language, setLanguage] = useState(() =>
    languageFor(storage.getItem(LANGUAGE_KEY), navigator.languages),
  );
  const [ui, setUi] = useState<Ui>(() => ({
    view: 'lanes',
    tab: 'message',
    dialog: undefined,
    tour: storage.getItem(EXPLAINED_KEY) === null,
  }));
  const filler = useMemo(createFormFiller, []);
  const say = useMemo(() => sayIn(language), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = say('title');
  }, [language, say]);

  const context: ConsoleContext = {
    model,
    act,
    ui,
    say,
    language,
    filler,
    clock,
    setUi(change) {
      if (change.tour === false) storage.setItem(EXPLAINED_KEY, 'yes');
      setUi((before) => ({ ...before, ...change }));
    },
    setLanguage(chosen: Language) {
      storage.setItem(LANGUAGE_KEY, chosen);
      storage.setItem(CLIENT_LANGUAGE_KEY, chosen);
      setLanguage(chosen);
    },
  };
  return (
    <Context value={context}>
      <ErrorBoundary onReload={() => window.location.reload()}>
        {model.connection === 'refused' ? <Gate /> : <Frame moment={moment} />}
      </ErrorBoundary>
    </Context>
  );
}

function Frame({ moment }: { moment: Moment | undefined }) {
  const { model, act, ui, say } = useConsole();
  useKeyboard();
  useDroppedRun((text) => void act.replay(text));
  return (
    <div className="console" data-view={ui.view}>
      <a className="skip" href="#lanes">
        {say('skip')}
      </a>
      <Header />
      <Views />
      {model.problem !== undefined && (
        <p className="problem" role="alert">
          <span>{model.problem}</span>{' '}
          <button type="button" className="btn" onClick={() => act.forgetProblem()}>
            {say('close')}
          </button>
        </p>
      )}
      <main className="columns" id="lanes" tabIndex={-1}>
        <ClientPanel />
        <LanePanel />
        <DetailsPanel />
      </main>
      <Footer />
      <OpenDialog moment={moment} />
    </div>
  );
}

const VIEWS = [
  ['client', 'viewClient'],
  ['lanes', 'viewLanes'],
  ['details', 'viewDetails'],
  ['controls', 'viewControls'],
] as const satisfies readonly (readonly [View, string])[];

/** On a narrow screen one part is shown at a time. */
function Views() {
  const { ui, setUi, say } = useConsole();
  return (
    <nav className="views" aria-label={say('views')}>
      {VIEWS.map(([view, text]) => (
        <button
          key={view}
          type="button"
          className={`view-button view-button-${view}`}
          aria-current={ui.view === view}
          onClick={() => setUi({ view })}
        >
          {say(text)}
        </button>
      ))}
    </nav>
  );
}

function OpenDialog({ moment }: { moment: Moment | undefined }) {
  const { model, ui, setUi } = useConsole();
  const [asked, setAsked] = useState(false);
  const onClose = () => setUi({ dialog: undefined });
  if (moment && model.overview && !asked)
    return <MomentDialog moment={moment} onClose={() => setAsked(true)} />;
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
    case 'reset':
      return <ResetDialog onClose={onClose} />;
    default:
      return <TroubleDialog wire={ui.dialog.slice('trouble:'.length) as Wire} onClose={onClose} />;
  }
}
