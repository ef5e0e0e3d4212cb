/** Defects of matching: whom properties identify. */
import type { EhrDefect } from '../defect.ts';
import { fromRow } from '../defect.ts';
import {
  accepted,
  answering,
  inCalls,
  paramsOf,
  patientFitting,
  reasonOf,
  refusal,
  withParams,
} from '../messages/messages.ts';
import { withMis } from '../parts.ts';
import { onlyWhereRefused, takesConditions } from './matching-changes.ts';
import { MATCHING_ROWS } from './matching-rows.ts';

export const matchingDefects: readonly EhrDefect[] = [
  ...MATCHING_ROWS.map(fromRow),
  {
    id: 'first-of-several',
    title: 'Of two patients who fit the first is taken',
    change: withMis((mis) => ({ match: async (query) => (await mis.match(query)).slice(0, 1) })),
    caughtBy: 'ambiguous-not-matched',
    seenIn: ['CodeForPhilly/paws-data-pipeline#308', 'metriport/metriport#4467'],
  },
  {
    id: 'several-told-apart',
    title: 'The answer says that several patients fit',
    change: answering(() => async (call, tools) => {
      const reply = await tools.next();
      const isSeveral = reasonOf(reply) === 'patient_not_matched' && (await patientFitting(call, tools.parts));
      return isSeveral
        ? {
            ...reply,
            error: { code: -34001, message: 'Several patients fit.', data: { reason: 'patient_not_matched' } },
          }
        : reply;
    }),
    caughtBy: 'ambiguous-not-matched',
  },
  {
    id: 'inactive-matched',
    title: 'An inactive patient matches',
    change: { patients: (patients) => patients.map((patient) => ({ ...patient, active: true, deceased: false })) },
    caughtBy: 'inactive-not-matched',
  },
  {
    id: 'condition-as-property',
    title: 'A property given as an object or a list is a condition that everybody meets',
    change: takesConditions,
    caughtBy: 'conditions-match-nobody',
    seenIn: ['KathiraveluLab/Beehive#484'],
  },
  {
    id: 'params-in-any-shape',
    title: 'Patient properties given as a list are read from its first element',
    change: inCalls((call) => {
      const { patientProperties } = paramsOf(call);
      return Array.isArray(patientProperties) ? withParams(call, { patientProperties: patientProperties[0] }) : call;
    }),
    caughtBy: 'params-of-authenticate',
  },
  {
    id: 'faults-acknowledged',
    title: 'authenticate with wrong params is acknowledged',
    change: onlyWhereRefused('invalid_params', (call) => accepted(call, {})),
    caughtBy: 'params-of-authenticate',
  },
  {
    id: 'string-ids-refused',
    title: 'A call whose id is a text is refused',
    change: answering(
      () =>
        (call, { next }) =>
          typeof call.id === 'string' ? refusal(call, 'invalid_request') : next(),
    ),
    caughtBy: 'field-client-served',
  },
  {
    id: 'api-key-refused',
    title: 'A call with a member of the field is refused',
    change: answering(
      () =>
        (call, { next }) =>
          'apiKey' in call ? refusal(call, 'invalid_request') : next(),
    ),
    caughtBy: 'empty-params-taken',
  },
];
