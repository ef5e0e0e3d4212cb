/** Defects of the internal channel: its cred, its user, and who may call what. */
import { digest } from '#protocol/wire/digest.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';
import { inRequests } from '../messages/http-messages.ts';
import {
  accepted,
  answering,
  credOf,
  READ,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  success,
  type Tools,
} from '../messages/messages.ts';
import { digestDefects, secretOf } from './digest-defects.ts';

/** Lets calls through whose cred is wrong in one way. */
function rightCredWhere(method: string, isWaved: (cred: unknown, tools: Tools) => boolean): EhrChange {
  return answering(() => async (call, tools) => {
    const secret = await secretOf(call, tools);
    if (call.method !== method || secret === undefined || !isWaved(call.cred, tools)) return tools.next();
    const { internalPassword: password, internalUser: user } = tools.parts.rules;
    return tools.next({ ...call, cred: { user, token: digest(password, secret) } });
  });
}

const isMissing = (cred: unknown) => cred === undefined || cred === null;

/** Serves an endpoint as if it were for both channels. */
const servesBoth = (channel: 'public' | 'internal'): EhrChange => ({
  pipeline: (pipeline) => (text, asked) => pipeline(text, asked === channel ? 'any' : asked),
});

/** Puts the right digest into a call whose header carries the password. */
const takesHeader: EhrChange = {
  ...rightCredWhere(SAVE, (cred) => (cred as { user?: unknown } | undefined)?.user === HEADER_USER),
  ...inRequests(({ headers, body }) => {
    if (headers.authorization === undefined) return {};
    const call = JSON.parse(body.toString());
    return { body: Buffer.from(JSON.stringify({ ...call, cred: { user: HEADER_USER, token: '' } })) };
  }),
};
const HEADER_USER = 'named by a header';

export const internalDefects: readonly EhrDefect[] = [
  ...digestDefects,
  {
    id: 'save-without-cred',
    title: 'save_auth_info without a cred is carried out',
    change: rightCredWhere(SAVE, isMissing),
    caughtBy: 'save-needs-cred',
  },
  {
    id: 'exchange-token-without-cred',
    title: 'save_exchange_token without a cred is carried out',
    change: rightCredWhere(SAVE_EXCHANGE_TOKEN, isMissing),
    caughtBy: 'exchange-token-needs-cred',
  },
  {
    id: 'internal-user-never-compared',
    title: 'The user of an internal cred is never compared',
    change: answering(() => (call, { next, parts }) => {
      if (call.method !== SAVE) return next();
      return next({ ...call, cred: { ...credOf(call), user: parts.rules.internalUser } });
    }),
    caughtBy: 'internal-user-checked',
  },
  {
    id: 'internal-user-in-any-case',
    title: 'The internal user name is compared without regard to capitals',
    change: answering(() => (call, { next, parts }) => {
      const { user } = credOf(call);
      const isAlike = String(user).toLowerCase() === parts.rules.internalUser.toLowerCase();
      return next(
        call.method === SAVE && isAlike ? { ...call, cred: { ...credOf(call), user: parts.rules.internalUser } } : call,
      );
    }),
    caughtBy: 'internal-user-checked',
  },
  {
    id: 'password-in-header',
    title: 'An Authorization header takes the place of the digest',
    change: takesHeader,
    caughtBy: 'authorization-header-opens-nothing',
  },
  {
    id: 'session-saves',
    title: 'save_auth_info takes a session in the place of the digest',
    change: answering(() => async (call, tools) => {
      const session = await tools.parts.store.findSession(hashToken(String(credOf(call).token)));
      return call.method === SAVE && session ? success(call, tools.parts) : tools.next();
    }),
    caughtBy: 'levels-not-mixed',
  },
  {
    id: 'digest-reads',
    title: 'get_patient takes the internal user in the place of a session',
    change: answering(
      () =>
        (call, { next, parts }) =>
          call.method === READ && credOf(call).user === parts.rules.internalUser
            ? accepted(call, { patient: null })
            : next(),
    ),
    caughtBy: 'levels-not-mixed',
  },
  {
    id: 'internal-methods-in-public',
    title: 'The two save methods are served at the public address',
    change: servesBoth('public'),
    caughtBy: 'internal-methods-not-public',
    seenIn: ['Start9Labs/start-technologies#3665', 'alpenlabs/alpen#173'],
  },
  {
    id: 'client-methods-inside',
    title: 'The methods of a client are served at the internal address',
    change: servesBoth('internal'),
    caughtBy: 'client-methods-not-internal',
  },
];
