/** Defects of the internal channel: its cred, its user, and who may call what. */
import { hashToken } from '#protocol/wire/secrets.ts';
import { withCred, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { before, instead, internalCred, success } from '../changes.ts';
import { defects } from '../defect.ts';
import { inRequests } from '../messages/http-messages.ts';
import { READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';
import { secretOf } from './digest-defects.ts';

/** Carry out calls whose cred is wrong in one way. */
const rightCredWhere = (method: string, isWaved: (cred: unknown) => boolean) =>
  before(method, async (turn) => {
    const secret = isWaved(turn.call.cred) ? await secretOf(turn) : undefined;
    return secret === undefined ? undefined : { ...turn.call, cred: internalCred(turn.parts, secret) };
  });

const isMissing = (cred: unknown) => cred === undefined || cred === null;

/** Compare the internal user by this. */
const comparesUser = (isTaken: (user: string, internal: string) => boolean) =>
  before(SAVE, ({ call, cred, parts }) => {
    const { internalUser: user } = parts.rules;
    return isTaken(String(cred.user), user) ? withCred(call, { user }) : undefined;
  });

/** Serve an endpoint as if it were for both channels. */
const servesBoth = (channel: 'public' | 'internal'): EhrChange => ({
  pipeline: (pipeline) => (text, asked) => pipeline(text, asked === channel ? 'any' : asked),
});

const OF_HEADER = 'named by a header';

/** Put the right digest into a call whose header carries the password. */
const takesHeader: EhrChange = {
  ...rightCredWhere(SAVE, (cred) => cred === OF_HEADER),
  ...inRequests(({ headers, body }) => {
    if (headers.authorization === undefined) return {};
    return { body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), cred: OF_HEADER })) };
  }),
};

export const internalDefects = defects({
  'save-without-cred': {
    title: 'save_auth_info without a cred is carried out',
    change: rightCredWhere(SAVE, isMissing),
    caughtBy: 'save-needs-cred',
  },
  'exchange-token-without-cred': {
    title: 'save_exchange_token without a cred is carried out',
    change: rightCredWhere(SAVE_EXCHANGE_TOKEN, isMissing),
    caughtBy: 'exchange-token-needs-cred',
  },
  'internal-user-never-compared': {
    title: 'The user of an internal cred is never compared',
    change: comparesUser(() => true),
    caughtBy: 'internal-user-checked',
  },
  'internal-user-in-any-case': {
    title: 'The internal user name is compared without regard to capitals',
    change: comparesUser((user, internal) => user.toLowerCase() === internal.toLowerCase()),
    caughtBy: 'internal-user-checked',
  },
  'password-in-header': {
    title: 'An Authorization header takes the place of the digest',
    change: takesHeader,
    caughtBy: 'authorization-header-opens-nothing',
  },
  'session-saves': {
    title: 'save_auth_info takes a session in the place of the digest',
    change: instead(SAVE, async (turn) =>
      (await turn.parts.store.findSession(hashToken(String(turn.cred.token)))) ? success(turn) : undefined,
    ),
    caughtBy: 'levels-not-mixed',
  },
  'digest-reads': {
    title: 'get_patient takes the internal user in the place of a session',
    change: instead(READ, ({ cred, parts }) =>
      cred.user === parts.rules.internalUser ? yes({ patient: null }) : undefined,
    ),
    caughtBy: 'levels-not-mixed',
  },
  'internal-methods-in-public': {
    title: 'The two save methods are served at the public address',
    change: servesBoth('public'),
    caughtBy: 'internal-methods-not-public',
    seenIn: ['Start9Labs/start-technologies#3665', 'alpenlabs/alpen#173'],
  },
  'client-methods-inside': {
    title: 'The methods of a client are served at the internal address',
    change: servesBoth('internal'),
    caughtBy: 'client-methods-not-internal',
  },
});
