/** The record, and what the user may do with the link to it. */
import { useState } from 'react';
import type { Patient } from '#protocol/wire/fields.ts';
import type { Ending, Step, UserEvent } from '../../flow/state.ts';
import type { ClientConfig } from '../../rpc.ts';
import { GENDER_WORDS, initials, showAttribute, showDay, showTtl } from '../format.ts';
import { Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { RecordDetails } from './record-details.tsx';

export type RecordStepProps = {
  step: Extract<Step, { at: 'record' }>;
  busy: boolean;
  send: (event: UserEvent) => void;
  ttlUnit: ClientConfig['ttlUnit'];
};

export function RecordStep({ step, busy, send, ttlUnit }: RecordStepProps) {
  const { patient } = step;
  const [asking, setAsking] = useState<Ending>();
  const end = (ending: Ending) => {
    setAsking(undefined);
    send({ type: 'ending_asked', ending });
  };
  return (
    <article className="record" aria-label="Your health record">
      <RecordHead patient={patient} />
      {step.problem && (
        <Problem
          failure={step.problem}
          title="Your record is open, but one step is left"
          text="The sign-in server has not noted the connection yet, so next time you may have to enter your details again."
        >
          <Button busy={busy} onPress={() => send({ type: 'retried' })}>
            Try again
          </Button>
        </Problem>
      )}
      <Busy when={busy}>Finishing the connection…</Busy>
      <RecordDetails patient={patient} />
      <Connection step={step} busy={busy} ttlUnit={ttlUnit} onLogOut={() => end('logout')} onAsk={setAsking} />
      <EndingDialogs asking={asking} onConfirm={end} onCancel={() => setAsking(undefined)} />
    </article>
  );
}

function RecordHead({ patient }: { patient: Patient }) {
  return (
    <header className="record-head">
      <Portrait photo={patient.photo} letters={initials(patient.name, patient.surname)} />
      <div>
        <p className="eyebrow">Your health record</p>
        <StepHeading>{[patient.name, patient.middleName, patient.surname].filter(Boolean).join(' ')}</StepHeading>
        <p className="lead">
          {GENDER_WORDS[patient.gender]}, born {showDay(patient.birthdate)}
        </p>
      </div>
    </header>
  );
}

type ConnectionProps = Pick<RecordStepProps, 'step' | 'busy' | 'ttlUnit'> & {
  onLogOut: () => void;
  onAsk: (ending: Ending) => void;
};

/** How the user signed in, and the ways to end the session or the link. */
function Connection({ step: { session, attribute }, busy, ttlUnit, onLogOut, onAsk }: ConnectionProps) {
  return (
    <section className="manage" aria-labelledby="manage-heading">
      <h2 id="manage-heading">Your connection</h2>
      <p>
        You signed in with <span className="keep">{showAttribute(attribute)}</span>. This session lasts{' '}
        {showTtl(session.ttl, ttlUnit)}.
      </p>
      <div className="actions">
        <Button busy={busy} onPress={onLogOut}>
          Log out
        </Button>
        <Button kind="secondary" busy={busy} onPress={() => onAsk('disconnect')}>
          Disconnect records
        </Button>
        <Button kind="quiet" busy={busy} onPress={() => onAsk('delete')}>
          Delete my data
        </Button>
      </div>
    </section>
  );
}

type EndingDialogsProps = {
  asking: Ending | undefined;
  onConfirm: (ending: Ending) => void;
  onCancel: () => void;
};

/** The questions before the two endings that remove more than the session. */
function EndingDialogs({ asking, onConfirm, onCancel }: EndingDialogsProps) {
  return (
    <>
      <ConfirmDialog
        open={asking === 'disconnect'}
        title="Disconnect your records?"
        confirm="Yes, disconnect"
        onConfirm={() => onConfirm('disconnect')}
        onCancel={onCancel}
      >
        <p>
          Your record stays at your clinic. This app can no longer show it, here or on your other devices, until you
          enter your details again.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'delete'}
        title="Delete your data?"
        confirm="Yes, delete"
        danger
        onConfirm={() => onConfirm('delete')}
        onCancel={onCancel}
      >
        <p>
          First your records are disconnected, then your account at the sign-in server is deleted. Your record stays at
          your clinic.
        </p>
        <p>This cannot be undone.</p>
      </ConfirmDialog>
    </>
  );
}

/** Shows only an embedded picture: a record must not make the browser fetch anything from elsewhere. */
function Portrait({ photo, letters }: { photo: string | null; letters: string }) {
  if (photo && /^data:image\/[a-z+.-]+[;,]/.test(photo)) return <img className="portrait" src={photo} alt="" />;
  return (
    <span className="portrait" aria-hidden="true">
      {letters}
    </span>
  );
}
