/**
 * Lists defects in how an authorization server handles an EHR server in trouble, such as one that is down.
 * It calls the EHR server in two cases: to save an exchange token, and to save a session.
 */
import type { Change } from '../change.ts';
import { type Defect, foundBy } from '../defect.ts';
import {
  breaksAfter,
  isRefusal,
  LOOKS,
  type Looks,
  type TroubleName,
  takesForDone,
  waitsAfter,
} from './looks.ts';

/** A defect: its key `id: title`, the check that must find it, and its change to the right mock. */
type HandledRow = readonly [key: string, check: string, change: Change];

/** Adds an ending to the id of a row, and says in its title when the defect shows. */
const named =
  (ending: string, when: string) =>
  ([key, check, change]: HandledRow): HandledRow => {
    const [id, title] = key.split(': ');
    return [`${id}${ending}: ${title}, ${when}`, check, change];
  };
const ofToken = named('-of-token', 'when an exchange token is saved');
const onSave = named('-on-save', 'when a session is saved');

/** Makes two rows of one defect, because each call has its own check: `exchange-…` and `save-…`. */
const both = (key: string, change: Change, exchange: string, save = exchange): HandledRow[] => [
  [key, `exchange-${exchange}`, change],
  onSave([key, `save-${save}`, change]),
];

/** Makes the rows of a server that takes this trouble for success, at both calls. */
const taken = (key: string, trouble: TroubleName, looks = LOOKS[trouble]) =>
  both(key, takesForDone(looks), `told-${trouble}`);

/** Makes the rows of a server at which no call works any more after this trouble, at both calls. */
const broken = (key: string, trouble: TroubleName, change = breaksAfter(LOOKS[trouble])) =>
  both(key, change, `survives-${trouble}`);

/** Makes the row of a server that takes the EHR server's refusal with this reason for success. */
const swallowed = (reason: string, check: string): HandledRow => [
  `swallows-${reason.replaceAll('_', '-')}: The EHR server's ${reason} is answered with success`,
  check,
  takesForDone(isRefusal(reason)),
];

/** Recognize how a call ended: without an answer, with HTTP 200, with HTTP 200 and no JSON in the body. */
const unanswered: Looks = ({ error, response }) => error !== undefined && response === undefined;
const isStatus200: Looks = ({ response }) => response?.status === 200;
const isRedirect: Looks = ({ response }) =>
  response !== undefined && [302, 307, 308].includes(response.status);
const isNonsense: Looks = ({ response, body }) => response?.status === 200 && body === undefined;

const NO_ANSWER = takesForDone(unanswered);
const LOST = 'swallows-lost-reply: A lost reply is answered with success';
const HANG = 'broken-after-hang: After a hanging call no call works any more';
const brokenConnections = (times: number) => breaksAfter(LOOKS.down, { times });

// A change may stand in several rows: which check must find it depends on the call and the trouble.
const rows: readonly HandledRow[] = [
  [
    'hangs-with-the-ehr: There is no timeout on calls to the EHR server',
    'exchange-told-hang',
    waitsAfter(LOOKS.hang),
  ],
  ['hangs-on-save: There is no timeout on the saving of a session', 'save-told-hang', waitsAfter(LOOKS.hang)],

  [
    'swallows-unreachable: An EHR server that is down is answered with success',
    'exchange-told-down',
    NO_ANSWER,
  ],
  ['swallows-reset: A reset connection is answered with success', 'save-told-reset', NO_ANSWER],
  [LOST, 'save-told-reply-lost', NO_ANSWER],
  ofToken([LOST, 'exchange-told-reply-lost', NO_ANSWER]),
  ...both(
    'swallows-every-error: Whatever breaks on the connection is answered with success',
    NO_ANSWER,
    'told-reset',
    'told-down',
  ),
  swallowed('not_authorized', 'exchange-told-not-authorized'),
  swallowed('access_forbidden', 'exchange-told-access-forbidden'),
  swallowed('internal_error', 'save-told-internal-error'),
  swallowed('invalid_params', 'save-told-invalid-params'),
  swallowed('token_already_stored', 'duplicate-session-token-handled'),
  swallowed('exchange_token_already_stored', 'duplicate-exchange-token-handled'),
  ofToken(swallowed('invalid_params', 'exchange-told-invalid-params')),
  ofToken(swallowed('internal_error', 'exchange-told-internal-error')),
  ofToken(swallowed('token_already_stored', 'exchange-told-token-already-stored')),
  onSave(swallowed('not_authorized', 'save-told-not-authorized')),
  onSave(swallowed('access_forbidden', 'save-told-access-forbidden')),

  ...taken('any-200-is-success: Any HTTP 200 is taken as success', 'not-json', isStatus200),
  ['redirect-is-success: A redirect is taken as success', 'redirect-told', takesForDone(isRedirect)],
  ...taken('http-500-is-success: The HTTP status is not looked at', 'http-500'),
  ...taken('id-not-compared: The id of the reply is not compared', 'wrong-id'),
  ...taken('half-a-reply-is-success: A reply that breaks off is taken as success', 'truncate'),

  ...broken('broken-after-500: After an HTTP 500 no call works any more', 'http-500'),
  [
    'broken-after-nonsense: After a reply that cannot be read no call works any more',
    'save-survives-truncate',
    breaksAfter(isNonsense),
  ],
  [HANG, 'save-survives-hang', breaksAfter(LOOKS.hang)],
  ofToken([HANG, 'exchange-survives-hang', breaksAfter(LOOKS.hang)]),
  ...broken(
    'broken-after-three-breaks: After three broken connections no call works any more',
    'reply-lost',
    brokenConnections(3),
  ),
  ...broken(
    'broken-after-two-breaks: After two broken connections no call works any more',
    'reset',
    brokenConnections(2),
  ),
  [
    'broken-after-one-break: After one broken connection no call works any more',
    'save-survives-down',
    brokenConnections(1),
  ],
  [
    'broken-after-half-a-reply: After a reply that breaks off no call works any more, when an exchange token is saved',
    'exchange-survives-truncate',
    breaksAfter(LOOKS.truncate),
  ],
  ...broken('broken-after-html: After a page of HTML no call works any more', 'not-json'),
  ...broken('broken-after-wrong-id: After the reply to another call no call works any more', 'wrong-id'),
];

export const handledDefects: readonly Defect[] = rows.flatMap(([key, check, change]) =>
  foundBy({ [check]: [key, change] }),
);
