/** The identification form: data that only the EHR server may learn. */
import { type FormEvent, useRef, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import { type DraftErrors, type DraftFields, dayOf, draftFields, readDraft } from '../../flow/form.ts';
import type { Identify } from '../../flow/state.ts';
import { showAttribute } from '../format.ts';
import { useLanguage } from '../language.tsx';
import { NoticeBox } from '../parts/alert.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { askFor, RetryProblem, StepCard, type StepProps } from '../parts/step.tsx';
import { IdentifyFields } from './identify-fields.tsx';

export type IdentifyStepProps = StepProps<Identify> & { clock: Clock };

export function IdentifyStep({ step, busy, send, clock }: IdentifyStepProps) {
  const { say } = useLanguage();
  const [typed, setTyped] = useState<DraftFields>(() => fieldsOf(step));
  const [errors, setErrors] = useState<DraftErrors>({});
  const form = useRef<HTMLFormElement>(null);
  const today = dayOf(clock.now());
  const change = (to: Partial<DraftFields>) => setTyped((before) => ({ ...before, ...to }));

  // "Try again" also sends what the form contains now.
  function submit(event?: FormEvent) {
    event?.preventDefault();
    const read = readDraft(typed, today);
    setErrors(read.ok ? {} : read.errors);
    if (read.ok) send({ type: 'form_submitted', draft: read.value, at: clock.now() });
    else form.current?.querySelector<HTMLElement>(`[name="${Object.keys(read.errors)[0]}"]`)?.focus();
  }

  function changeStrategy(strategy: DraftFields['strategy']) {
    change({ strategy });
    setErrors({});
  }

  return (
    <StepCard at="atConnect" title="findRecord">
      <p className="lead">{say('findRecordLead')}</p>
      <NoticeBox notice={step.notice} />
      {step.problem && <RetryProblem failure={step.problem} busy={busy} onRetry={() => submit()} />}
      <form noValidate onSubmit={submit} ref={form} aria-label={say('yourDetails')}>
        <IdentifyFields {...{ typed, errors, today }} onChange={change} onStrategy={changeStrategy} />
        <p className="promise">
          <Icon of="shield" />
          <span>{say('secrecy')}</span>
        </p>
        <div className="actions">
          <Button busy={busy} text="findIt" />
          <Button kind="secondary" busy={busy} text="logOut" onPress={() => send(askFor('logout'))} />
        </div>
        <Busy when={busy} text="looking" />
      </form>
    </StepCard>
  );
}

/** Returns what was typed, or the phone of the sign-in alone: for most patients the clinic knows that one. */
function fieldsOf({ attribute, draft }: Identify): DraftFields {
  if (draft) return draftFields(draft);
  const phone = attribute.kind === 'phone' ? showAttribute(attribute) : '';
  return { strategy: 'PHONE', name: '', surname: '', date: '', gender: '', phone, medCardId: '' };
}
