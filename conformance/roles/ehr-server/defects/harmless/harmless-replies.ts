/** Harmless variants of what replies tell, and of limits. */
import { randomToken } from '#protocol/time/random.ts';
import { ANY, done, refused } from '../../../../engine/defects/operators.ts';
import { membersOf, yes } from '../../../../engine/defects/rpc-call.ts';
import { ORIGIN } from '../../self-test/serve.ts';
import { after, both, inError, inRecords, withRules, withStore } from '../changes.ts';
import { harmless } from '../defect.ts';
import { inResponses } from '../messages/http-messages.ts';
import { READ, SAVES } from '../methods.ts';

const MONTH_MINUTES = 43_200;

/** What a clinic may know of a relative. */
const RELATIVE = { name: 'Anna', surname: 'Petrova', birthdate: '1985-04-12', phone: '79990000001' };

export const harmlessReplies = harmless({
  'own-values-repeated': {
    title: 'Replies repeat the user and the session token of their own call',
    change: both(
      after(done(READ), ({ cred, result }) => yes({ ...result, ...cred })),
      after(done(SAVES), ({ authInfo: { user, token }, result }) => yes({ ...result, user, token })),
    ),
  },
  'relatives-described': {
    title: 'A record tells name, day of birth and phone of a relative',
    change: inRecords((record) => ({
      ...record,
      familyMembers: [{ type: 1, patientId: 'p-anna', ...RELATIVE }],
    })),
  },
  'records-without-relatives': {
    title: 'No record names a relative',
    change: inRecords((record) => ({ ...record, familyMembers: [] })),
  },
  'errors-numbered': {
    title: 'Each error has a number of its own, under which the log tells more',
    change: after(refused(ANY), ({ reply, parts }) => {
      const { data } = membersOf(reply.error);
      return inError(reply, { data: { ...membersOf(data), incident: randomToken(parts.random) } });
    }),
  },
  'signatures-with-version': {
    title: 'Each user_sign begins with the version of its form',
    change: withStore((store) => ({
      link: (request) => store.link({ ...request, newUserSign: `ehr-sign-v1_${request.newUserSign}` }),
    })),
  },
  'ttl-of-a-month-at-most': {
    title: 'A ttl above a month is refused',
    change: withRules({ maxTtl: MONTH_MINUTES }),
  },
  'one-origin-for-all': {
    title: 'Every reply names the one origin that may call, whoever calls',
    change: inResponses(({ headers }) => ({
      headers: {
        ...headers,
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
      },
    })),
  },
});
