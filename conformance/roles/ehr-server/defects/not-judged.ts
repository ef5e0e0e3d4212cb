/** Faults that public systems had and that no check of an EHR server judges, each with the reason. */
import type { NotJudged } from '../../../engine/defects/not-judged.ts';

export const ehrNotJudged: readonly NotJudged[] = [
  {
    id: 'ehr-record-gathered-by-name',
    because:
      'What belongs to a patient is known to the server alone: the wire shows a record, and not whose entries it was put together from.',
  },
  {
    id: 'ehr-relatives-too',
    because:
      'Which relatives a record may name is a rule of the clinic; the interface publishes familyMembers and says nothing of their rights.',
  },
  {
    id: 'ehr-idle-connection-cut',
    because:
      'The idle limit of a server is not known to the kit, and a connection that ends between two calls is allowed: only a race in real time would show.',
  },
];
