/** The first visit: in four steps over the lanes, why the exchange token exists. */
import { useEffect, useRef, useState } from 'react';
import type { TextKey } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';

type Lane = 'client' | 'auth' | 'ehr';
type Arrow = { from: Lane; to: Lane; text: TextKey; kind: 'plain' | 'never' | 'private' };
type Step = { title: TextKey; text: TextKey; arrows: readonly Arrow[] };

const STEPS: readonly Step[] = [
  {
    title: 'tour1',
    text: 'tour1Text',
    arrows: [{ from: 'client', to: 'auth', text: 'tourSigns', kind: 'plain' }],
  },
  {
    title: 'tour2',
    text: 'tour2Text',
    arrows: [
      { from: 'client', to: 'auth', text: 'tourWho', kind: 'never' },
      { from: 'client', to: 'ehr', text: 'tourWho', kind: 'private' },
    ],
  },
  {
    title: 'tour3',
    text: 'tour3Text',
    arrows: [
      { from: 'auth', to: 'ehr', text: 'tourTokenSession', kind: 'plain' },
      { from: 'auth', to: 'client', text: 'tourToken', kind: 'plain' },
    ],
  },
  {
    title: 'tour4',
    text: 'tour4Text',
    arrows: [{ from: 'client', to: 'ehr', text: 'tourAll', kind: 'private' }],
  },
];

export function Tour() {
  const { say, setUi } = useConsole();
  const [at, setAt] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const step = STEPS[at] as Step;
  const last = at === STEPS.length - 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is read out from its heading
  useEffect(() => heading.current?.focus(), [at]);
  return (
    <section className="tour" aria-label={say('tourTitle')}>
      <div className="tour-arrows" aria-hidden="true" key={at}>
        {step.arrows.map(({ from, to, text, kind }) => (
          <p key={`${from}${to}`} className={`tour-arrow tour-${from}-${to} tour-${kind}`}>
            <span>{kind === 'never' ? `${say(text)} · ${say('tourNever')} ✕` : say(text)}</span>
          </p>
        ))}
      </div>
      <div className="tour-card">
        <p className="hint">{`${say('tourTitle')} · ${say('tourStep', { n: at + 1 })}`}</p>
        <h2 tabIndex={-1} ref={heading}>
          {say(step.title)}
        </h2>
        <p>{say(step.text)}</p>
        <p className="tour-acts">
          <button type="button" className="btn" disabled={at === 0} onClick={() => setAt(at - 1)}>
            {say('tourBack')}
          </button>
          <button
            type="button"
            className="btn btn-primary"
            onClick={() => (last ? setUi({ tour: false }) : setAt(at + 1))}
          >
            {say(last ? 'tourEnd' : 'tourNext')}
          </button>
          {!last && (
            <button type="button" className="text-button" onClick={() => setUi({ tour: false })}>
              {say('close')}
            </button>
          )}
        </p>
      </div>
    </section>
  );
}
