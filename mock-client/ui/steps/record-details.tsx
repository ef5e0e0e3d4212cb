/** The parts of a patient record in readable form. Absent values are left out. */
import type { ReactNode } from 'react';
import type { Patient } from '#protocol/wire/fields.ts';
import { capitalised, MARITAL_WORDS, showDay, showPhone } from '../format.ts';

export function RecordDetails({ patient }: { patient: Patient }) {
  const { phones, insurances, familyMembers } = patient;
  return (
    <div className="sections">
      {(!patient.active || patient.deceased) && (
        <p className="box box-notice">
          {patient.deceased ? 'This record is marked as deceased.' : 'This record is no longer active.'}
        </p>
      )}
      <Section title="Contact">
        <dl>
          <Row name={phones.length === 1 ? 'Phone' : 'Phones'}>
            {phones.map((phone) => (
              <span className="line keep" key={phone}>
                {showPhone(phone)}
              </span>
            ))}
          </Row>
          <Row name="E-mail">{patient.email}</Row>
          <Row name="Address">{patient.address}</Row>
        </dl>
      </Section>
      <Section title="At the clinic">
        <dl>
          <Row name="Medical card">{patient.medcardNumber}</Row>
          <Row name="Date of birth">{showDay(patient.birthdate)}</Row>
          <Row name="Marital status">{MARITAL_WORDS[patient.maritalStatus]}</Row>
        </dl>
      </Section>
      <Insurances insurances={insurances} />
      <Family members={familyMembers} />
    </div>
  );
}

function Insurances({ insurances }: Pick<Patient, 'insurances'>) {
  return (
    <Section title="Insurance">
      {insurances.length === 0 && <p className="none">No insurance is noted.</p>}
      <ul className="plain">
        {insurances.map(({ companyId, company = companyId, policyNumber, period }) => (
          <li key={`${companyId} ${policyNumber}`}>
            <strong>{company}</strong>
            <span className="line">No. {policyNumber}</span>
            <span className="line soft">Valid until {showDay(period.end)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Family({ members }: { members: Patient['familyMembers'] }) {
  return (
    <Section title="Family">
      {members.length === 0 && <p className="none">No family members are noted.</p>}
      <ul className="plain">
        {members.map(({ type, patientId, relation = 'family member', name, surname }) => (
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
  const id = `section-${title.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section className="card section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="row">
      <dt>{name}</dt>
      <dd>
        {children === null || (Array.isArray(children) && children.length === 0) ? (
          <span className="none">Not noted</span>
        ) : (
          children
        )}
      </dd>
    </div>
  );
}
