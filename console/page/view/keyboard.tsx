/** The keys of the page. They act where nobody types and no dialog is open. */
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { neighbour } from '../model/model.ts';
import { type ConsoleContext, useConsole } from './context.ts';
import { chosenScenario, playChosen, SCENARIO_LIST_ID, stepChosen } from './controls/scenario.tsx';
import { SEARCH_ID } from './lanes/lane-tools.tsx';
import { Dialog } from './parts.tsx';

type Key = {
  readonly text: string;
  /** Values of `KeyboardEvent.key`. */
  readonly keys: readonly string[];
  readonly run: (context: ConsoleContext, key: string) => void;
  /** Whether it acts on the demo. Then it does nothing while a saved run is open. */
  readonly isLive?: boolean;
};

const walk =
  (step: 1 | -1) =>
  ({ model, act, setUi }: ConsoleContext) => {
    act.follow(false);
    setUi({ tab: 'message' });
    void act.choose(neighbour(model, step));
  };

const TABS = { '1': 'message', '2': 'state', '3': 'verdicts' } as const;

const key = (keys: readonly string[], text: string, run: Key['run']): Key => ({ keys, text, run });
const liveKey = (...parts: Parameters<typeof key>): Key => ({ ...key(...parts), isLive: true });

const keys: readonly Key[] = [
  key(['j', 'ArrowDown'], 'next message', walk(1)),
  key(['k', 'ArrowUp'], 'previous message', walk(-1)),
  liveKey(['p'], 'pause or resume the lanes', ({ model, act }) =>
    model.paused ? act.resume() : act.pause(),
  ),
  liveKey(['n'], 'show one waiting message', ({ act }) => act.showNext()),
  liveKey(['f'], 'follow the newest message', ({ model, act }) => act.follow(!model.follows)),
  key(['/'], 'search the messages', toSearch),
  key(['1', '2', '3'], 'message, state, verdicts', ({ setUi }, pressed) =>
    setUi({ tab: TABS[pressed as keyof typeof TABS], view: 'details' }),
  ),
  liveKey(['g'], 'play or pause the chosen scenario; without one, to their list', playOrPause),
  liveKey(['s'], 'next step of the chosen scenario; without one, to their list', stepScenario),
  liveKey(['t'], 'to 1 s before the token ends', ({ act }) => void act.moveClock({ to: 'beforeTokenEnd' })),
  key(['r'], 'record and replay', ({ setUi }) => setUi({ dialog: 'record' })),
  liveKey(['c'], 'fill the form, or the code', fillCodeOrForm),
  key(['w'], 'why the exchange token exists', ({ setUi }) => setUi({ tour: true, view: 'lanes' })),
  key(['?'], 'this list', ({ setUi }) => setUi({ dialog: 'keys' })),
];

/** On a narrow screen the lanes may be hidden, and what is hidden takes no focus. */
function toSearch({ setUi }: ConsoleContext): void {
  flushSync(() => setUi({ view: 'lanes' }));
  document.getElementById(SEARCH_ID)?.focus();
}

function playOrPause(context: ConsoleContext): void {
  const { id, isAnyPlaying } = chosenScenario(context);
  if (isAnyPlaying) void context.act.scenario({ do: 'pause' });
  else if (id !== '') playChosen(context);
  else goToScenarios(context);
}

function stepScenario(context: ConsoleContext): void {
  const { id, isAnyPlaying } = chosenScenario(context);
  if (isAnyPlaying) return;
  if (id !== '') stepChosen(context);
  else goToScenarios(context);
}

/** On a narrow screen their list comes into view first. */
function goToScenarios({ setUi }: ConsoleContext): void {
  flushSync(() => setUi({ view: 'controls' }));
  document.getElementById(SCENARIO_LIST_ID)?.focus();
}

function fillCodeOrForm({ model, filler }: ConsoleContext): void {
  const code = model.phone[0]?.code;
  const person = model.overview?.people.find(({ name }) => name === model.person);
  if (!(code !== undefined && filler.fillCode(code)) && person) filler.fillPerson(person);
}

export function useKeyboard(): void {
  const context = useConsole();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event)) return;
      const found = keys.find((one) => one.keys.includes(event.key));
      if (!found || (found.isLive && context.model.replay) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      found.run(context, event.key);
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

/** Fields and choices need the keys themselves, and what scrolls beside the lanes needs the arrow keys. */
function hasOwnKeys({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.matches('input, select, textarea')) return true;
  return key.startsWith('Arrow') && target.closest('.details-panel, .client-panel') !== null;
}

const ARROWS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑' };

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {keys.map(({ keys: own, text }) => (
          <div key={text} className="row">
            <dt>
              {own.map((key) => (
                <kbd key={key}>{ARROWS[key] ?? key.toUpperCase()}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
