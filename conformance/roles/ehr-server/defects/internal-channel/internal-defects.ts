/** Defects of the internal channel: its cred, its user, and who may call what. */
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { withCred, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { before, instead, internalCred, success } from '../changes.ts';
import { foundBy } from '../defect.ts';
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

export const internalDefects = foundBy({
  'save-needs-cred': [
    'save-without-cred: save_auth_info without a cred is carried out',
    rightCredWhere(SAVE, isMissing),
  ],
  'exchange-token-needs-cred': [
    'exchange-token-without-cred: save_exchange_token without a cred is carried out',
    rightCredWhere(SAVE_EXCHANGE_TOKEN, isMissing),
  ],
  'internal-user-checked': [
    'internal-user-never-compared: The user of an internal cred is never compared',
    comparesUser(() => true),
    'internal-user-in-any-case: The internal user name is compared without regard to capitals',
    comparesUser((user, internal) => user.toLowerCase() === internal.toLowerCase()),
  ],
  'authorization-header-opens-nothing': [
    'password-in-header: An Authorization header takes the place of the digest',
    takesHeader,
  ],
  'levels-not-mixed': [
    'session-saves: save_auth_info takes a session in the place of the digest',
    instead(SAVE, async (turn) =>
      (await turn.parts.store.findSession(hashToken(String(turn.cred.token)))) ? success(turn) : undefined,
    ),
    'digest-reads: get_patient takes the internal user in the place of a session',
    instead(READ, ({ cred, parts }) =>
      cred.user === parts.rules.internalUser ? yes({ patient: null }) : undefined,
    ),
  ],
  'internal-methods-not-public': [
    'internal-methods-in-public: The two save methods are served at the public address',
    servesBoth('public'),
    'Start9Labs/start-technologies#3665',
    'alpenlabs/alpen#173',
  ],
  'client-methods-not-internal': [
    'client-methods-inside: The methods of a client are served at the internal address',
    servesBoth('internal'),
  ],
});
