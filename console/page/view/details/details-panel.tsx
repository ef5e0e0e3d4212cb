/** The right side of the page: the chosen message, the state of both servers, and all verdicts. */
import type { KeyboardEvent } from 'react';
import { verdictsShown } from '../../model/model.ts';
import { type Ui, useConsole } from '../context.ts';
import { Button } from '../parts.tsx';
import { VerdictBox, worstFirst } from '../verdicts.tsx';
import { MessageTab } from './message-tab.tsx';
import { StateTab } from './state-tab.tsx';

const TABS: readonly (readonly [tab: Ui['tab'], text: string])[] = [
  ['message', 'Message'],
  ['state', 'State'],
  ['verdicts', 'Verdicts'],
];

export function DetailsPanel() {
  const { ui } = useConsole();
  return (
    <section className="panel details-panel" aria-label="Details">
      <h2 className="visually-hidden">Details</h2>
      <TabList />
      <div role="tabpanel" className="tab-body" aria-labelledby={`tab-${ui.tab}`} id="tab-panel">
        {ui.tab === 'message' && <MessageTab />}
        {ui.tab === 'state' && <StateTab />}
        {ui.tab === 'verdicts' && <VerdictsTab />}
      </div>
    </section>
  );
}

function TabList() {
  const { model, ui, setUi } = useConsole();
  const verdicts = verdictsShown(model);
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail').length;
  const extra: Record<Ui['tab'], string> = {
    message: model.chosen === undefined ? '' : ` ${model.chosen}`,
    state: '',
    verdicts: failed > 0 ? ` ${failed} ✕` : ` ${verdicts.length} ✓`,
  };

  /** The arrow keys move between tabs, as everywhere. */
  function onKeyDown({ key, currentTarget }: KeyboardEvent<HTMLDivElement>) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const at = TABS.findIndex(([tab]) => tab === ui.tab);
    const index = (at + step + TABS.length) % TABS.length;
    setUi({ tab: TABS[index]?.[0] ?? 'message' });
    currentTarget.querySelectorAll('button')[index]?.focus();
  }

  return (
    <div role="tablist" className="row tabs" onKeyDown={onKeyDown} aria-label="Details">
      {TABS.map(([tab, text]) => (
        <Button
          key={tab}
          role="tab"
          id={`tab-${tab}`}
          className={`tab ${tab === 'verdicts' && failed > 0 ? 'is-bad' : ''}`}
          aria-selected={ui.tab === tab}
          aria-controls="tab-panel"
          tabIndex={ui.tab === tab ? 0 : -1}
          onClick={() => setUi({ tab })}
        >
          {text + extra[tab]}
        </Button>
      ))}
    </div>
  );
}

/** All verdicts so far, the worst first. */
function VerdictsTab() {
  const { model } = useConsole();
  const verdicts = worstFirst(verdictsShown(model));
  return (
    <>
      {!model.replay && (
        <p className="hint">
          Judged live: both servers, and of a client what a single message shows. What trouble brings about is
          not held against anybody. npm run conformance judges a party wholly.
        </p>
      )}
      {verdicts.length === 0 && <p className="hint">No check has judged yet.</p>}
      {verdicts.map((verdict) => (
        <VerdictBox key={verdict.check} verdict={verdict} withEvidence />
      ))}
    </>
  );
}
