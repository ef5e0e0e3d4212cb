/** The record, and what the user may do with the link to it. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Patient } from '#protocol/wire/fields.ts';
import type { Ending, RecordStep as Step } from '../../flow/state.ts';
import type { ClientConfig } from '../../rpc.ts';
import type { TextKey } from '../../texts/texts.ts';
import { capitalised, initials, showAttribute, showDay, showPhone, showTtl } from '../format.ts';
import { Sentence, useLanguage } from '../language.tsx';
import { Problem } from '../parts/alert.tsx';
import { Busy, Button } from '../parts/button.tsx';
import { askFor, StepHeading, type StepProps } from '../parts/step.tsx';

/** The marital status that is shown as not noted (decision 33). */
const MARITAL_UNKNOWN = 5;

type RecordStepProps = StepProps<Step> & { ttlUnit: ClientConfig['ttlUnit'] };

/** `busy` here means that the link is being reported: each ending is a step of its own. */
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
  return (['disconnect', 'delete'] as const).map((ending) => (
    <ConfirmDialog
      key={ending}
      open={asking === ending}
      title={`${ending}Title`}
      confirm={`${ending}Confirm`}
      kind={ending === 'delete' ? 'danger' : 'primary'}
      onConfirm={() => onConfirm(ending)}
      onCancel={onCancel}
    >
      <p>{say(`${ending}Text`)}</p>
      {ending === 'delete' && <p>{say('cannotUndo')}</p>}
    </ConfirmDialog>
  ));
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

function RecordDetails({ patient }: { patient: Patient }) {
  const { say, language } = useLanguage();
  const { phones, insurances, familyMembers, maritalStatus } = patient;
  return (
    <div className="sections">
      {(!patient.active || patient.deceased) && (
        <p className="box box-notice">{say(patient.deceased ? 'deceased' : 'inactive')}</p>
      )}
      <Section title={say('contact')}>
        <dl>
          <Row name={say(phones.length === 1 ? 'onePhone' : 'phones')}>
            {phones.map((phone) => (
              <span className="line keep" key={phone}>
                {showPhone(phone)}
              </span>
            ))}
          </Row>
          <Row name={say('mail')}>{patient.email}</Row>
          <Row name={say('address')}>{patient.address}</Row>
        </dl>
      </Section>
      <Section title={say('atClinic')}>
        <dl>
          <Row name={say('medicalCard')}>{patient.medcardNumber}</Row>
          <Row name={say('born')}>{showDay(patient.birthdate, language)}</Row>
          <Row name={say('maritalStatus')}>
            {maritalStatus === MARITAL_UNKNOWN ? null : say(`marital${maritalStatus}`)}
          </Row>
        </dl>
      </Section>
      <Insurances insurances={insurances} />
      <Family members={familyMembers} />
    </div>
  );
}

function Insurances({ insurances }: Pick<Patient, 'insurances'>) {
  const { say, language } = useLanguage();
  return (
    <Section title={say('insurance')}>
      {insurances.length === 0 && <p className="none">{say('noInsurance')}</p>}
      <ul className="plain">
        {insurances.map(({ companyId, company = companyId, policyNumber, period }) => (
          <li key={`${companyId} ${policyNumber}`}>
            <strong>{company}</strong>
            <span className="line">{say('policy', { number: policyNumber })}</span>
            <span className="line soft">{say('validUntil', { day: showDay(period.end, language) })}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Family({ members }: { members: Patient['familyMembers'] }) {
  const { say } = useLanguage();
  return (
    <Section title={say('family')}>
      {members.length === 0 && <p className="none">{say('noFamily')}</p>}
      <ul className="plain">
        {members.map(({ type, patientId, relation = say('familyMember'), name, surname }) => (
          <li key={`${type} ${patientId}`}>
            <strong>{[name, surname].filter(Boolean).join(' ') || patientId}</strong>
            <span className="line soft">{capitalised(relation)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  const { say } = useLanguage();
  return (
    <div className="row">
      <dt>{name}</dt>
      <dd>
        {children === null || (Array.isArray(children) && children.length === 0) ? (
          <span className="none">{say('notNoted')}</span>
        ) : (
          children
        )}
      </dd>
    </div>
  );
}

type ConfirmDialogProps = {
  open: boolean;
  title: TextKey;
  children: ReactNode;
  confirm: TextKey;
  kind: 'primary' | 'danger';
  onConfirm: () => void;
  onCancel: () => void;
};

function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirm, kind, onConfirm, onCancel } = props;
  const { say } = useLanguage();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);
  const [titleId, textId] = [`${id}-title`, `${id}-text`];
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onClose={onCancel}
    >
      <h2 id={titleId}>{say(title)}</h2>
      <div id={textId} className="dialog-text">
        {children}
      </div>
      <div className="actions actions-end">
        <Button kind="secondary" text="cancel" onPress={onCancel} />
        <Button kind={kind} text={confirm} onPress={onConfirm} />
      </div>
    </dialog>
  );
}
