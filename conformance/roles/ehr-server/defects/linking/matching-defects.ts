/** Defects of matching: whom properties identify. */
import { refused } from '../../../../engine/defects/operators.ts';
import { no, withParams, yes } from '../../../../engine/defects/rpc-call.ts';
import { after, before, inError, instead, patientFitting, withMis } from '../changes.ts';
import { defects } from '../defect.ts';
import { AUTHENTICATE } from '../methods.ts';
import { takesConditions } from './matching-changes.ts';

export const matchingDefects = defects({
  'first-of-several': {
    title: 'Of two patients who fit the first is taken',
    change: withMis((mis) => ({ match: async (query) => (await mis.match(query)).slice(0, 1) })),
    caughtBy: 'ambiguous-not-matched',
    seenIn: ['CodeForPhilly/paws-data-pipeline#308', 'metriport/metriport#4467'],
  },
  'several-told-apart': {
    title: 'The answer says that several patients fit',
    change: after(refused(AUTHENTICATE, 'patient_not_matched'), async (turn) =>
      (await patientFitting(turn)) ? inError(turn.reply, { message: 'Several patients fit.' }) : undefined,
    ),
    caughtBy: 'ambiguous-not-matched',
  },
  'inactive-matched': {
    title: 'An inactive patient matches',
    change: {
      patients: (patients) => patients.map((patient) => ({ ...patient, active: true, deceased: false })),
    },
    caughtBy: 'inactive-not-matched',
  },
  'condition-as-property': {
    title: 'A property that is an object or a list fits everybody',
    change: takesConditions,
    caughtBy: 'conditions-match-nobody',
    seenIn: ['KathiraveluLab/Beehive#484'],
  },
  'params-in-any-shape': {
    title: 'Patient properties given as a list are read from its first element',
    change: before(AUTHENTICATE, ({ call, params: { patientProperties } }) =>
      Array.isArray(patientProperties)
        ? withParams(call, { patientProperties: patientProperties[0] })
        : undefined,
    ),
    caughtBy: 'params-of-authenticate',
  },
  'faults-acknowledged': {
    title: 'authenticate with wrong params is acknowledged',
    change: after(refused(AUTHENTICATE, 'invalid_params'), () => yes()),
    caughtBy: 'params-of-authenticate',
  },
  'string-ids-refused': {
    title: 'A call whose id is a text is refused',
    change: instead(
      ({ call }) => typeof call.id === 'string',
      () => no('invalid_request'),
    ),
    caughtBy: 'field-client-served',
  },
  'api-key-refused': {
    title: 'A call with a member of the field is refused',
    change: instead(
      ({ call }) => 'apiKey' in call,
      () => no('invalid_request'),
    ),
    caughtBy: 'empty-params-taken',
  },
});
