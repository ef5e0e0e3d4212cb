/** What the fake server of the tests tells of its demo. */
import { personaList } from '#mis-fixtures/personas.ts';
import type { Overview } from '../../api.ts';
import { START } from './scripted-exchange.ts';

export const scriptedOverview: Overview = {
  version: '0.0.0',
  seed: 7,
  addresses: {
    client: 'http://127.0.0.1:4300',
    clientFrame: '/client/',
    auth: 'http://127.0.0.1:4200',
    ehr: 'http://127.0.0.1:4100/1.0-alpha/',
  },
  clock: {
    now: START + 2_000,
    offsetMs: 0,
    skewMs: { client: 0, auth: 0, ehr: 500 },
    tokenEndsAt: START + 601_015,
    sessionEndsAt: null,
  },
  people: personaList.map(({ name, title, outcome, signIn, typed }) => ({
    name,
    title,
    outcome,
    signIn,
    typed,
  })),
  faults: [],
  faultKinds: [
    { name: 'down', title: 'The connection is refused', group: 'cut', hasDelay: false },
    { name: 'late', title: 'The reply comes late', group: 'slow', hasDelay: true },
    {
      name: 'reply-lost',
      title: 'The call is executed, and its reply is lost',
      group: 'reply-lost',
      hasDelay: false,
    },
    { name: 'refuse', title: 'The call is refused with an error', group: 'refuse', hasDelay: false },
    { name: 'not-json', title: 'The answer is a page of HTML', group: 'nonsense', hasDelay: false },
  ],
  errors: [
    { reason: 'not_authorized', code: -33_000, message: 'Not authorized.' },
    { reason: 'user_unknown', code: -34_007, message: 'No entry in the correspondence table.' },
  ],
  textTrouble: { kind: 'none', times: 1 },
  scenarios: [
    {
      id: 'first-link',
      title: 'The first link',
      sentence: 'Anna signs in, is asked who she is, and her session is linked to her record.',
      steps: ['Anna signs in', 'Anna asks for an exchange token', 'Anna says who she is'],
    },
    {
      id: 'token-ends',
      title: 'Exchange token at 9:59.999',
      sentence: 'The token works for ten minutes, and not a millisecond longer.',
      steps: ['Anna signs in', 'The clock moves', 'Anna says who she is'],
    },
  ],
  scenario: { id: null, step: 0, phase: 'idle' },
  alarm: null,
};
