/**
 * Defects of an EHR server on the internal channel, by which the authorization server saves sessions and
 * exchange tokens: its cred, its user, and which methods are served where. A key is the check that must find
 * the defects below it. A text `id: title` begins a defect; its change of the right server follows.
 */
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import { withCred, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { before, instead, internalCred, success } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { inRequests } from '../messages/http-messages.ts';
import { READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';
import { secretOf } from './digest-defects.ts';

/** Carry out calls with a wrong cred that `isWaved` picks: they go on with the right cred. */
const rightCredWhere = (method: string, isWaved: (cred: unknown) => boolean) =>
  before(method, async (turn) => {
    const secret = isWaved(turn.call.cred) ? await secretOf(turn) : undefined;
    return secret === undefined ? undefined : { ...turn.call, cred: internalCred(turn.parts, secret) };
  });

const isMissing = (cred: unknown) => cred === undefined || cred === null;

/** Compare the internal user by another rule, which is given the sent name and the right one. */
const comparesUser = (isTaken: (user: string, internal: string) => boolean) =>
  before(SAVE, ({ call, cred, parts }) => {
    const { internalUser: user } = parts.rules;
    return isTaken(String(cred.user), user) ? withCred(call, { user }) : undefined;
  });

/** Serve the methods of both channels at the endpoint of one. */
const servesBoth = (channel: 'public' | 'internal'): EhrChange => ({
  pipeline: (pipeline) => (text, asked) => pipeline(text, asked === channel ? 'any' : asked),
});

/** Marks, in the place of the cred, a call that came with an Authorization header. */
const OF_HEADER = 'named by a header';

/** Take an Authorization header, whatever it holds, in the place of the digest. */
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
  ],
});
