/** The identification form: data that only the EHR server may learn. */
import { useRef, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Failure } from '../../calls.ts';
import { type DraftErrors, type DraftFields, dayOf, draftFields, readDraft } from '../../flow/form.ts';
import type { Identify, UserEvent } from '../../flow/state.ts';
import { wayAfter } from '../../messages.ts';
import { showAttribute } from '../format.ts';
import { useLanguage } from '../language.tsx';
import { NoticeBox, Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { Progress } from '../parts/progress.tsx';
import { IdentifyFields } from './identify-fields.tsx';

export type IdentifyStepProps = {
  step: Identify;
  busy: boolean;
  send: (event: UserEvent) => void;
  clock: Clock;
};

export function IdentifyStep({ step, busy, send, clock }: IdentifyStepProps) {
  const { say } = useLanguage();
  const [typed, setTyped] = useState<DraftFields>(() =>
    step.draft ? draftFields(step.draft) : emptyFields(step),
  );
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
      <Progress at="atConnect" />
      <StepHeading>{say('findRecord')}</StepHeading>
      <p className="lead">{say('findRecordLead')}</p>
      <NoticeBox notice={step.notice} />
      {step.problem && <LookupProblem failure={step.problem} busy={busy} onRetry={submit} />}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        ref={form}
        aria-label={say('yourDetails')}
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
            {say('findIt')}
          </Button>
          <Button kind="secondary" busy={busy} onPress={logOut}>
            {say('logOut')}
          </Button>
        </div>
        <Busy when={busy}>{say('looking')}</Busy>
      </form>
    </div>
  );
}

function LookupProblem({ failure, busy, onRetry }: { failure: Failure; busy: boolean; onRetry: () => void }) {
  const { say } = useLanguage();
  return (
    <Problem failure={failure}>
      {wayAfter(failure) === 'retry' && (
        <Button busy={busy} onPress={onRetry}>
          {say('tryAgain')}
        </Button>
      )}
    </Problem>
  );
}

function Secrecy() {
  const { say } = useLanguage();
  return (
    <p className="promise">
      <Icon of="shield" />
      <span>{say('secrecy')}</span>
    </p>
  );
}

/** Returns empty fields, but with the phone of the sign-in: for most patients the clinic knows that one. */
function emptyFields({ attribute }: Identify): DraftFields {
  const phone = attribute.kind === 'phone' ? showAttribute(attribute) : '';
  return { strategy: 'PHONE', name: '', surname: '', date: '', gender: '', phone, medCardId: '' };
}
