/** Harmless variants of what replies tell, and of limits. */
import { randomToken } from '#protocol/time/random.ts';
import { ORIGIN } from '../../self-test/serve.ts';
import type { EhrHarmless } from '../defect.ts';
import { inResponses } from '../messages/http-messages.ts';
import {
  accepted,
  answering,
  authInfoOf,
  credOf,
  inRecords,
  isDone,
  membersOf,
  READ,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
} from '../messages/messages.ts';
import { withRules, withStore } from '../parts.ts';

const MONTH_MINUTES = 43_200;

/** What a clinic may know of a relative. */
const RELATIVE = { name: 'Anna', surname: 'Petrova', birthdate: '1985-04-12', phone: '79990000001' };

export const harmlessReplies: readonly EhrHarmless[] = [
  {
    id: 'own-values-repeated',
    title: 'Replies repeat the user and the session token of their own call',
    change: answering(() => async (call, { next }) => {
      const reply = await next();
      const { user, token } = call.method === READ ? credOf(call) : authInfoOf(call);
      const isRepeated = [READ, SAVE, SAVE_EXCHANGE_TOKEN].includes(call.method) && isDone(reply);
      return isRepeated ? accepted(call, { ...membersOf(reply?.result), user, token }) : reply;
    }),
  },
  {
    id: 'relatives-described',
    title: 'A record tells name, day of birth and phone of a relative',
    change: inRecords((record) => ({ ...record, familyMembers: [{ type: 1, patientId: 'p-anna', ...RELATIVE }] })),
  },
  {
    id: 'records-without-relatives',
    title: 'No record names a relative',
    change: inRecords((record) => ({ ...record, familyMembers: [] })),
  },
  {
    id: 'errors-numbered',
    title: 'Each error has a number of its own, under which the log tells more',
    change: answering(() => async (_call, { next, parts }) => {
      const reply = await next();
      if (reply === null || isDone(reply)) return reply;
      const error = membersOf(reply.error);
      return { ...reply, error: { ...error, data: { ...membersOf(error.data), incident: randomToken(parts.random) } } };
    }),
  },
  {
    id: 'signatures-with-version',
    title: 'Each user_sign begins with the version of its form',
    change: withStore((store) => ({
      link: (request) => store.link({ ...request, newUserSign: `ehr-sign-v1_${request.newUserSign}` }),
    })),
  },
  {
    id: 'ttl-of-a-month-at-most',
    title: 'A ttl above a month is refused',
    change: withRules({ maxTtl: MONTH_MINUTES }),
  },
  {
    id: 'one-origin-for-all',
    title: 'Every reply names the one origin that may call, whoever calls',
    change: inResponses(({ headers }) => ({
      headers: {
        ...headers,
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
      },
    })),
  },
];
