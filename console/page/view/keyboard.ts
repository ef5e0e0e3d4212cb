/** The keys of the page. They act where nobody types and no dialog is open. */
import { useEffect } from 'react';
import type { TextKey } from '../texts/texts.ts';
import { type ConsoleContext, useConsole } from './context.ts';
import { neighbour } from './neighbour.ts';

type Key = {
  readonly shown: readonly string[];
  readonly text: TextKey;
  /** Values of `KeyboardEvent.key`. */
  readonly keys: readonly string[];
  readonly run: (console: ConsoleContext, key: string) => void;
};

const walk =
  (step: 1 | -1) =>
  ({ model, act, setUi }: ConsoleContext) => {
    act.follow(false);
    setUi({ tab: 'message' });
    void act.choose(neighbour(model, step));
  };

const TABS = { '1': 'message', '2': 'state', '3': 'verdicts' } as const;

export const keys: readonly Key[] = [
  { shown: ['J', '↓'], text: 'key_next', keys: ['j', 'ArrowDown'], run: walk(1) },
  { shown: ['K', '↑'], text: 'key_previous', keys: ['k', 'ArrowUp'], run: walk(-1) },
  {
    shown: ['P'],
    text: 'key_pause',
    keys: ['p'],
    run: ({ model, act }) => (model.paused ? act.resume() : act.pause()),
  },
  { shown: ['N'], text: 'key_step', keys: ['n'], run: ({ act }) => act.showNext() },
  { shown: ['F'], text: 'key_follow', keys: ['f'], run: ({ model, act }) => act.follow(!model.follows) },
  { shown: ['/'], text: 'key_filter', keys: ['/'], run: () => document.getElementById('filter')?.focus() },
  {
    shown: ['1', '2', '3'],
    text: 'key_tabs',
    keys: ['1', '2', '3'],
    run: ({ setUi }, key) => setUi({ tab: TABS[key as keyof typeof TABS], view: 'details' }),
  },
  { shown: ['G'], text: 'key_scenario', keys: ['g'], run: playOrPause },
  {
    shown: ['S'],
    text: 'key_scenarioStep',
    keys: ['s'],
    run: ({ act }) => void act.scenario({ do: 'step' }),
  },
  {
    shown: ['T'],
    text: 'key_token',
    keys: ['t'],
    run: ({ act }) => void act.moveClock({ to: 'beforeTokenEnd' }),
  },
  { shown: ['R'], text: 'key_record', keys: ['r'], run: ({ setUi }) => setUi({ dialog: 'record' }) },
  { shown: ['C'], text: 'key_fill', keys: ['c'], run: fillCodeOrForm },
  { shown: ['W'], text: 'key_tour', keys: ['w'], run: ({ setUi }) => setUi({ tour: true, view: 'lanes' }) },
  { shown: ['?'], text: 'key_help', keys: ['?'], run: ({ setUi }) => setUi({ dialog: 'keys' }) },
];

function playOrPause({ model, act }: ConsoleContext): void {
  void act.scenario({ do: model.overview?.scenario.phase === 'playing' ? 'pause' : 'play' });
}

function fillCodeOrForm({ model, filler }: ConsoleContext): void {
  const code = model.phone[0]?.code;
  const person = model.overview?.people.find(({ name }) => name === model.person);
  if (!(code !== undefined && filler.fillCode(code)) && person) filler.fillPerson(person);
}

export function useKeyboard(): void {
  const console = useConsole();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event)) return;
      const found = keys.find((one) => one.keys.includes(event.key));
      if (!found || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      found.run(console, event.key);
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
