/** Defects in how a server handles an EHR server in trouble, for each of its two calls. */
import { type Defect, type DefectRow, defectsOf } from '../defect.ts';
import { breaksAfter, isRefusal, LOOKS, type Looks, takesForDone, waitsAfter } from './looks.ts';

/** The words and the ending of an id for the two calls. */
const CALLS = {
  token: { when: ', when an exchange token is saved', ending: '-of-token' },
  save: { when: ', when a session is saved', ending: '-on-save' },
} as const;

type At = keyof typeof CALLS;

/** One defect, with the check that must find it; with `at` its id and its title name the call. */
const row = (id: string, title: string, check: string, change: DefectRow['change'], at?: At): Defect[] =>
  defectsOf(`${id}${at ? CALLS[at].ending : ''}`, check, {
    title: `${title}${at ? CALLS[at].when : ''}`,
    ...(change && { change }),
  });

/** The same defect at both calls, each with a check of its own. */
const both = (
  id: string,
  title: string,
  [exchange, save]: readonly [string, string],
  change: DefectRow['change'],
) => [...row(id, title, exchange, change), ...row(id, title, save, change, 'save')];

const swallowed = (reason: string, check: string, at?: At) =>
  row(
    `swallows-${reason.replaceAll('_', '-')}`,
    `The EHR server's ${reason} is answered with success`,
    check,
    takesForDone(isRefusal(reason)),
    at,
  );

const unanswered: Looks = ({ error, response }) => error !== undefined && response === undefined;
const isStatus200: Looks = ({ response }) => response?.status === 200;
const isNonsense: Looks = ({ response, body }) => response?.status === 200 && body === undefined;

const NO_ANSWER = takesForDone(unanswered);
const LOST = 'A lost reply is answered with success';
const HANG = 'After a hanging call no call works any more';
const brokenConnections = (times: number) => breaksAfter(LOOKS.down, { times });

export const handledDefects: readonly Defect[] = [
  ...defectsOf('hangs-with-the-ehr', 'exchange-told-hang', {
    title: 'There is no timeout on calls to the EHR server',
    change: waitsAfter(LOOKS.hang),
    on: ['challenge-exchange-token-hangs', 'carried-sign-exchange-token-hangs'],
  }),
  ...row(
    'hangs-on-save',
    'There is no timeout on the saving of a session',
    'save-told-hang',
    waitsAfter(LOOKS.hang),
  ),

  ...row(
    'swallows-unreachable',
    'An EHR server that is down is answered with success',
    'exchange-told-down',
    NO_ANSWER,
  ),
  ...row('swallows-reset', 'A reset connection is answered with success', 'save-told-reset', NO_ANSWER),
  ...row('swallows-lost-reply', LOST, 'save-told-reply-lost', NO_ANSWER),
  ...row('swallows-lost-reply', LOST, 'exchange-told-reply-lost', NO_ANSWER, 'token'),
  ...both(
    'swallows-every-error',
    'Whatever breaks on the connection is answered with success',
    ['exchange-told-reset', 'save-told-down'],
    NO_ANSWER,
  ),
  ...swallowed('not_authorized', 'exchange-told-not-authorized'),
  ...swallowed('access_forbidden', 'exchange-told-access-forbidden'),
  ...swallowed('internal_error', 'save-told-internal-error'),
  ...swallowed('invalid_params', 'save-told-invalid-params'),
  ...swallowed('token_already_stored', 'duplicate-session-token-handled'),
  ...swallowed('exchange_token_already_stored', 'duplicate-exchange-token-handled'),
  ...swallowed('invalid_params', 'exchange-told-invalid-params', 'token'),
  ...swallowed('internal_error', 'exchange-told-internal-error', 'token'),
  ...swallowed('token_already_stored', 'exchange-told-token-already-stored', 'token'),
  ...swallowed('not_authorized', 'save-told-not-authorized', 'save'),
  ...swallowed('access_forbidden', 'save-told-access-forbidden', 'save'),

  ...both(
    'any-200-is-success',
    'Any HTTP 200 is taken as success',
    ['exchange-told-not-json', 'save-told-not-json'],
    takesForDone(isStatus200),
  ),
  ...both(
    'http-500-is-success',
    'The HTTP status is not looked at',
    ['exchange-told-http-500', 'save-told-http-500'],
    takesForDone(LOOKS['http-500']),
  ),
  ...defectsOf('id-not-compared', 'exchange-told-wrong-id', {
    title: 'The id of the reply is not compared',
    change: takesForDone(LOOKS['wrong-id']),
    on: ['carried-sign'],
  }),
  ...row(
    'id-not-compared',
    'The id of the reply is not compared',
    'save-told-wrong-id',
    takesForDone(LOOKS['wrong-id']),
    'save',
  ),
  ...both(
    'half-a-reply-is-success',
    'A reply that breaks off is taken as success',
    ['exchange-told-truncate', 'save-told-truncate'],
    takesForDone(LOOKS.truncate),
  ),

  ...both(
    'broken-after-500',
    'After an HTTP 500 no call works any more',
    ['exchange-survives-http-500', 'save-survives-http-500'],
    breaksAfter(LOOKS['http-500']),
  ),
  ...row(
    'broken-after-nonsense',
    'After a reply that cannot be read no call works any more',
    'save-survives-truncate',
    breaksAfter(isNonsense),
  ),
  ...row('broken-after-hang', HANG, 'save-survives-hang', breaksAfter(LOOKS.hang)),
  ...row('broken-after-hang', HANG, 'exchange-survives-hang', breaksAfter(LOOKS.hang), 'token'),
  ...both(
    'broken-after-three-breaks',
    'After three broken connections no call works any more',
    ['exchange-survives-reply-lost', 'save-survives-reply-lost'],
    brokenConnections(3),
  ),
  ...both(
    'broken-after-two-breaks',
    'After two broken connections no call works any more',
    ['exchange-survives-reset', 'save-survives-reset'],
    brokenConnections(2),
  ),
  ...row(
    'broken-after-one-break',
    'After one broken connection no call works any more',
    'save-survives-down',
    brokenConnections(1),
  ),
  ...row(
    'broken-after-half-a-reply',
    'After a reply that breaks off no call works any more, when an exchange token is saved',
    'exchange-survives-truncate',
    breaksAfter(LOOKS.truncate),
  ),
  ...both(
    'broken-after-html',
    'After a page of HTML no call works any more',
    ['exchange-survives-not-json', 'save-survives-not-json'],
    breaksAfter(LOOKS['not-json']),
  ),
  ...both(
    'broken-after-wrong-id',
    'After the reply to another call no call works any more',
    ['exchange-survives-wrong-id', 'save-survives-wrong-id'],
    breaksAfter(LOOKS['wrong-id']),
  ),
];
