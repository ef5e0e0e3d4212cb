/** The record, and what the user may do with the link to it. */
import { useState } from 'react';
import type { Patient } from '#protocol/wire/fields.ts';
import type { Ending, RecordStep as Step } from '../../flow/state.ts';
import type { ClientConfig } from '../../rpc.ts';
import { initials, showAttribute, showDay, showTtl } from '../format.ts';
import { Sentence, useLanguage } from '../language.tsx';
import { Problem } from '../parts/alert.tsx';
import { StepHeading } from '../parts/arrival.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { askFor, type StepProps } from '../parts/step.tsx';
import { RecordDetails } from './record-details.tsx';

export type RecordStepProps = StepProps<Step> & { ttlUnit: ClientConfig['ttlUnit'] };

export function RecordStep({ step, busy, send, ttlUnit }: RecordStepProps) {
  const { say } = useLanguage();
  const { patient } = step;
  const [asking, setAsking] = useState<Ending>();
  const end = (ending: Ending) => {
    setAsking(undefined);
    send(askFor(ending));
  };
  return (
    <article className="record" aria-label={say('yourRecord')}>
      <RecordHead patient={patient} />
      {step.problem && (
        <Problem failure={step.problem} title={say('stepLeftTitle')} text={say('stepLeftText')}>
          <Button busy={busy} text="tryAgain" onPress={() => send({ type: 'retried' })} />
        </Problem>
      )}
      <Busy when={busy} text="finishingConnection" />
      <RecordDetails patient={patient} />
      <Connection
        step={step}
        busy={busy}
        ttlUnit={ttlUnit}
        onLogOut={() => end('logout')}
        onAsk={setAsking}
      />
      <EndingDialogs asking={asking} onConfirm={end} onCancel={() => setAsking(undefined)} />
    </article>
  );
}

function RecordHead({ patient }: { patient: Patient }) {
  const { say, language } = useLanguage();
  return (
    <header className="record-head">
      <Portrait photo={patient.photo} letters={initials(patient.name, patient.surname)} />
      <div>
        <p className="eyebrow">{say('yourRecord')}</p>
        <StepHeading>
          {[patient.name, patient.middleName, patient.surname].filter(Boolean).join(' ')}
        </StepHeading>
        <p className="lead">
          {say('genderAndBirth', {
            gender: say(`gender${patient.gender}`),
            day: showDay(patient.birthdate, language),
          })}
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
  const { say, language } = useLanguage();
  return (
    <section className="manage" aria-labelledby="manage-heading">
      <h2 id="manage-heading">{say('yourConnection')}</h2>
      <p>
        <Sentence
          of="connectionText"
          values={{
            attribute: <span className="keep">{showAttribute(attribute)}</span>,
            time: showTtl(session.ttl, ttlUnit, language),
          }}
        />
      </p>
      <div className="actions">
        <Button kind="secondary" busy={busy} text="logOut" onPress={onLogOut} />
        <Button kind="secondary" busy={busy} text="disconnect" onPress={() => onAsk('disconnect')} />
        <Button kind="quiet" busy={busy} text="deleteData" onPress={() => onAsk('delete')} />
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
  const { say } = useLanguage();
  return (
    <>
      <ConfirmDialog
        open={asking === 'disconnect'}
        title="disconnectTitle"
        confirm="disconnectConfirm"
        onConfirm={() => onConfirm('disconnect')}
        onCancel={onCancel}
      >
        <p>{say('disconnectText')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'delete'}
        title="deleteTitle"
        confirm="deleteConfirm"
        kind="danger"
        onConfirm={() => onConfirm('delete')}
        onCancel={onCancel}
      >
        <p>{say('deleteText')}</p>
        <p>{say('cannotUndo')}</p>
      </ConfirmDialog>
    </>
  );
}

/** Shows only an embedded picture: a record must not make the browser fetch anything from elsewhere. */
function Portrait({ photo, letters }: { photo: string | null; letters: string }) {
  if (photo && /^data:image\/[a-z+.-]+[;,]/.test(photo))
    return <img className="portrait" src={photo} alt="" />;
  return (
    <span className="portrait" aria-hidden="true">
      {letters}
    </span>
  );
}
