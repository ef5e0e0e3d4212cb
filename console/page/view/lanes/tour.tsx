/** The first visit: in four steps over the lanes, why the exchange token exists. Then it is played live. */
import { useEffect, useRef, useState } from 'react';
import { texts } from '../../texts.ts';
import { paces, useConsole } from '../context.ts';
import { Button } from '../parts.tsx';

/** `of` is the party of its colour. */
type Arrow = { on: string; of: 'auth' | 'ehr'; text: string; is?: 'is-backward' | 'is-never' };
type TourStep = { title: string; text: string; arrows: readonly Arrow[] };

const STEPS: readonly TourStep[] = [
  {
    title: texts.tour1,
    text: texts.tour1Text,
    arrows: [{ on: 'client-auth', of: 'auth', text: texts.tourSigns }],
  },
  {
    title: texts.tour2,
    text: texts.tour2Text,
    arrows: [
      { on: 'client-auth', of: 'auth', text: texts.tourWho, is: 'is-never' },
      { on: 'client-ehr', of: 'ehr', text: texts.tourWho },
    ],
  },
  {
    title: texts.tour3,
    text: texts.tour3Text,
    arrows: [
      { on: 'auth-ehr', of: 'auth', text: texts.tourTokenSession },
      { on: 'client-auth', of: 'auth', text: texts.tourToken, is: 'is-backward' },
    ],
  },
  {
    title: texts.tour4,
    text: texts.tour4Text,
    arrows: [{ on: 'client-ehr', of: 'ehr', text: texts.tourAll }],
  },
];

export function Tour() {
  const [at, setAt] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, text, arrows } = STEPS[at] as TourStep;
  const last = at === STEPS.length - 1;
  const { close, showLive } = useWaysOn();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is read out from its heading
  useEffect(() => heading.current?.focus(), [at]);
  return (
    <section className="tour" aria-label={texts.tourTitle}>
      <div className="tour-arrows" aria-hidden="true" key={at}>
        {arrows.map(({ on, of, text: what, is = '' }) => (
          <p key={on} className={`tour-arrow on-${on} of-${of} ${is}`}>
            <span>{is === 'is-never' ? `${what} · ${texts.tourNever} ✕` : what}</span>
          </p>
        ))}
      </div>
      <div className="tour-card">
        <p className="hint">{`${texts.tourTitle} · ${texts.tourStep(at + 1)}`}</p>
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <p>{text}</p>
        {last && <p className="hint">{texts.tourLive}</p>}
        <p className="row tour-acts">
          <Button text={texts.tourBack} disabled={at === 0} onClick={() => setAt(at - 1)} />
          <Button
            className="btn btn-primary"
            text={last ? texts.tourEnd : texts.tourNext}
            onClick={last ? showLive : () => setAt(at + 1)}
          />
          <Button className="text-button" text={texts.close} onClick={close} />
        </p>
      </div>
    </section>
  );
}

function useWaysOn() {
  const { model, act, setUi } = useConsole();
  return {
    close: () => setUi({ tour: false }),
    /** Plays the first link so slowly that each sentence can be read beside its message. */
    showLive() {
      // Playing empties the demo first.
      const tourRun = model.timesEmptied + 1;
      setUi({ tour: false, tourRun, scenario: 'first-link', pace: 'slow' });
      act.leaveReplay();
      act.resume();
      void act.scenario({ do: 'play', id: 'first-link', paceMs: paces.slow });
    },
  };
}
