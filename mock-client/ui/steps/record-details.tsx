/** The parts of a patient record in readable form. Absent values are left out. */
import { type ReactNode, useId } from 'react';
import type { Patient } from '#protocol/wire/fields.ts';
import { capitalised, showDay, showPhone } from '../format.ts';
import { useLanguage } from '../language.tsx';

/** The code of decision 33 that is shown as not noted. */
const UNKNOWN = 5;

export function RecordDetails({ patient }: { patient: Patient }) {
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
            {maritalStatus === UNKNOWN ? null : say(`marital${maritalStatus}`)}
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
