/** The methods of the EHR server's one endpoint (§4), as data. */
import { z } from 'zod';
import {
  authInfo,
  exchangeToken,
  medCardId,
  nothing,
  patientProperties,
  patientReply,
  recordId,
  searchStrategy,
} from '../wire/fields.ts';
import type { MethodTable } from './method-spec.ts';

const session = { user: 'u-79990000001', token: 'Jx0c2Zl3…' };
const patientExample = {
  id: 'p-anna',
  created: '2024-03-01T00:00:00.000Z',
  active: true,
  isActive: true,
  surname: 'Petrova',
  middleName: null,
  name: 'Anna',
  phones: ['79990000001'],
  email: 'anna.petrova@example.org',
  gender: 1,
  birthdate: '1985-04-12T00:00:00.000Z',
  deceased: false,
  maritalStatus: 1,
  photo: null,
  familyMembers: [],
  address: 'Example street 1',
  medcardNumber: 'A-1001',
  insurances: [],
} as const;
const patientReplyExample = { patient: patientExample, user_sign: 'hQ5kT0…', userSign: 'hQ5kT0…' };

export const ehrMethods = {
  'embedded_storage.save_auth_info': {
    clause: '§4.1',
    summary:
      'Stores the session of a user who is linked to a patient already, or records the session that authenticate opened.',
    access: 'internal',
    cred: 'user_sign_digest',
    params: z.object({ authInfo }),
    result: recordId,
    errors: ['token_already_stored', 'user_unknown'],
    example: {
      params: { authInfo: { ...session, ttl: 1440 } },
      cred: { user: 'auth-server', token: 'f4d2b6e1c07a9d3358b1c6ce0e9f1a2b3c4d5e6f' },
      result: { id: 'r-5f0c…' },
    },
  },
  'embedded_storage.save_exchange_token': {
    clause: '§4.2',
    summary: 'Remembers an exchange token for ten minutes, bound to the session it will open.',
    access: 'internal',
    cred: 'exchange_token_digest',
    params: z.object({ exchangeToken, authInfo }),
    result: recordId,
    errors: ['token_already_stored', 'exchange_token_already_stored'],
    example: {
      params: { exchangeToken: 'pY7mW2…', authInfo: { ...session, ttl: 1440 } },
      cred: { user: 'auth-server', token: '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567' },
      result: { id: 'x-91ab…' },
    },
  },
  'embedded_storage.authenticate': {
    clause: '§4.3',
    summary:
      'Links the user of the exchange token to the patient whom the properties identify, and opens the session.',
    access: 'client',
    cred: 'none',
    params: z.object({ exchangeToken, patientProperties, searchStrategy, medCardId }),
    result: patientReply,
    errors: [
      'exchange_token_unknown',
      'exchange_token_expired',
      'exchange_token_exhausted',
      'too_many_failed_matches',
      'patient_not_matched',
      'patient_already_matched',
      'patient_already_linked',
      'token_already_stored',
    ],
    example: {
      params: {
        exchangeToken: 'pY7mW2…',
        patientProperties: {
          name: 'Anna',
          surname: 'Petrova',
          date: '1985-04-12 00:00:00.000',
          gender: 1,
          phone: '79990000001',
        },
      },
      result: patientReplyExample,
    },
  },
  'patient.get_patient': {
    clause: '§4.4',
    summary: "Returns the patient data and the user's signature to the holder of a session.",
    access: 'client',
    cred: 'session',
    params: nothing,
    result: patientReply,
    errors: ['session_expired', 'patient_not_matched'],
    example: { params: {}, cred: session, result: patientReplyExample },
  },
  'embedded_storage.remove_auth_info': {
    clause: '§4.5',
    summary: 'Logs out: removes this one session. The link to the patient stays.',
    access: 'client',
    cred: 'session',
    params: nothing,
    result: nothing,
    errors: ['session_expired'],
    example: { params: {}, cred: session, result: {} },
  },
  'embedded_storage.remove_authentication': {
    clause: '§4.6',
    summary: "Disconnects the EHR: removes the link, the user's signature and all sessions of the user.",
    access: 'client',
    cred: 'session',
    params: nothing,
    result: nothing,
    errors: ['session_expired'],
    example: { params: {}, cred: session, result: {} },
  },
  'rpc.discover': {
    clause: 'OpenRPC 1.3',
    summary: 'Describes this service as an OpenRPC document.',
    access: 'open',
    cred: 'none',
    params: nothing,
    result: z.looseObject({ openrpc: z.string() }),
    errors: [],
    example: { params: {}, result: { openrpc: '1.3.2' } },
  },
} as const satisfies MethodTable;

export type EhrMethod = keyof typeof ehrMethods;
