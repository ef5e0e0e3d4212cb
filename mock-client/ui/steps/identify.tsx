/** The identification form: data that only the EHR server may learn. */
import { useRef, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Failure } from '../../calls.ts';
import { type DraftErrors, type DraftFields, dayOf, draftFields, readDraft } from '../../flow/form.ts';
import type { Identify, UserEvent } from '../../flow/state.ts';
import { failureMessage } from '../../messages.ts';
import { showAttribute } from '../format.ts';
import { NoticeBox, Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { Progress } from '../parts/progress.tsx';
import { IdentifyFields } from './identify-fields.tsx';

export type IdentifyStepProps = { step: Identify; busy: boolean; send: (event: UserEvent) => void; clock: Clock };

export function IdentifyStep({ step, busy, send, clock }: IdentifyStepProps) {
  const [typed, setTyped] = useState<DraftFields>(() => (step.draft ? draftFields(step.draft) : emptyFields(step)));
  const [errors, setErrors] = useState<DraftErrors>({});
  const form = useRef<HTMLFormElement>(null);
  const today = dayOf(clock.now());

  // "Try again" also sends what the form contains now.
  function submit() {
    const read = readDraft(typed, today);
    setErrors(read.ok ? {} : read.errors);
    if (read.ok) {
      send({ type: 'form_submitted', draft: read.value, at: clock.now() });
    } else {
      const first = Object.keys(read.errors)[0];
      form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    }
  }

  const logOut = () => send({ type: 'ending_asked', ending: 'logout' });
  return (
    <div className="card">
      <Progress at="Connect" />
      <StepHeading>Find your record</StepHeading>
      <p className="lead">Tell us who you are, just as your clinic has it in your record.</p>
      <NoticeBox notice={step.notice} />
      {step.problem && <LookupProblem failure={step.problem} busy={busy} onRetry={submit} />}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        ref={form}
        aria-label="Your details"
      >
        <IdentifyFields
          typed={typed}
          errors={errors}
          today={today}
          onChange={(change) => setTyped((before) => ({ ...before, ...change }))}
          onStrategy={(strategy) => {
            setTyped((before) => ({ ...before, strategy }));
            setErrors({});
          }}
        />
        <Secrecy />
        <div className="actions">
          <Button submit busy={busy}>
            Find my record
          </Button>
          <Button kind="secondary" busy={busy} onPress={logOut}>
            Log out
          </Button>
        </div>
        <Busy when={busy}>Looking for your record…</Busy>
      </form>
    </div>
  );
}

function LookupProblem({ failure, busy, onRetry }: { failure: Failure; busy: boolean; onRetry: () => void }) {
  return (
    <Problem failure={failure}>
      {failureMessage(failure).way === 'retry' && (
        <Button busy={busy} onPress={onRetry}>
          Try again
        </Button>
      )}
    </Problem>
  );
}

function Secrecy() {
  return (
    <p className="promise">
      <Icon of="shield" />
      <span>These details go to the records server only. The sign-in server never sees them.</span>
    </p>
  );
}

/** Returns empty fields, but with the phone of the sign-in: for most patients the clinic knows that one. */
function emptyFields({ attribute }: Identify): DraftFields {
  const phone = attribute.kind === 'phone' ? showAttribute(attribute) : '';
  return { strategy: 'PHONE', name: '', surname: '', date: '', gender: '', phone, medCardId: '' };
}
