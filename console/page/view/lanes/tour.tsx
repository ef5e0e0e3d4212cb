/** The first visit: in four steps over the lanes, why the exchange token exists. Then it is played live. */
import { useEffect, useRef, useState } from 'react';
import type { Outcome } from '../../../api.ts';
import { paces, useConsole } from '../context.ts';
import { Button } from '../parts.tsx';

/** `of` is the party of its colour. */
type Arrow = { on: string; of: 'auth' | 'ehr'; text: string; is?: 'is-backward' | 'is-never' };
export type TourStep = {
  title: string;
  text: string;
  arrows: readonly Arrow[];
  /** When it is played live, the step stands below the first such reply. */
  after: { method: string; outcome: Outcome };
};

export const TOUR_STEPS: readonly TourStep[] = [
  {
    title: 'The phone is confirmed',
    after: { method: 'auth.confirm_otp', outcome: 'done' },
    text: 'Anna proves with a code that a phone is hers. The authorization server now knows a phone number, and nothing about her health.',
    arrows: [{ on: 'client-auth', of: 'auth', text: 'phone, code' }],
  },
  {
    title: 'But which patient is she?',
    after: { method: 'patient.get_patient', outcome: 'refused' },
    text: 'Only the EHR server can tell, from her name and date of birth. These are private. They must never pass the authorization server, which serves many clinics.',
    arrows: [
      { on: 'client-auth', of: 'auth', text: 'name, date of birth', is: 'is-never' },
      { on: 'client-ehr', of: 'ehr', text: 'name, date of birth' },
    ],
  },
  {
    title: 'One token goes to both',
    after: { method: 'auth.exchange_token', outcome: 'done' },
    text: 'The authorization server draws a random exchange token, good for ten minutes. It gives the token to the client. It gives the same token to the EHR server, with a note whose sign-in it belongs to.',
    arrows: [
      { on: 'auth-ehr', of: 'auth', text: 'token, and whose sign-in' },
      { on: 'client-auth', of: 'auth', text: 'exchange token', is: 'is-backward' },
    ],
  },
  {
    title: 'The two halves meet',
    after: { method: 'embedded_storage.authenticate', outcome: 'done' },
    text: 'The client sends the token with name and birthday to the EHR server alone. The token tells whose sign-in this is, the name tells which patient. That is what the token is for: the two are linked, and the authorization server learnt nothing about her.',
    arrows: [{ on: 'client-ehr', of: 'ehr', text: 'token + name, date of birth' }],
  },
];

export function Tour() {
  const [at, setAt] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, text, arrows } = TOUR_STEPS[at] as TourStep;
  const last = at === TOUR_STEPS.length - 1;
  const { close, showLive } = useWaysOn();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step is read out from its heading
  useEffect(() => heading.current?.focus(), [at]);
  return (
    <section className="tour" aria-label="Why the exchange token exists">
      <div className="tour-arrows" aria-hidden="true" key={at}>
        {arrows.map(({ on, of, text: what, is = '' }) => (
          <p key={on} className={`tour-arrow on-${on} of-${of} ${is}`}>
            <span>{is === 'is-never' ? `${what} · never ✕` : what}</span>
          </p>
        ))}
      </div>
      <div className="tour-card">
        <p className="hint">{`Why the exchange token exists · ${at + 1} of ${TOUR_STEPS.length}`}</p>
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <p>{text}</p>
        {last && <p className="hint">The demo is emptied, and Anna’s first link is played before you.</p>}
        <p className="row tour-acts">
          <Button text="Back" disabled={at === 0} onClick={() => setAt(at - 1)} />
          <Button
            className="btn btn-primary"
            text={last ? 'Show me live' : 'Next'}
            onClick={last ? showLive : () => setAt(at + 1)}
          />
          <Button className="text-button" text="Close" onClick={close} />
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
