/**
 * Harmless variants of the EHR server in its messages: other texts, further members and headers, other forms
 * of JSON, other limits. No check may fail for them. A text `id: title` begins a variant; its change of the
 * right server follows.
 */

import { randomToken } from '#protocol/time/random.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import { ANY, done, refused } from '../../../../engine/defects/operators.ts';
import { type Members, membersOf, yes } from '../../../../engine/defects/rpc-call.ts';
import { type EhrChange, ORIGIN } from '../../self-test/serve.ts';
import {
  after,
  both,
  inError,
  inRecords,
  inResults,
  propertiesIn,
  withRules,
  withStore,
} from '../changes.ts';
import { harmlessOf } from '../defect.ts';
import { digits } from '../linking/matching-defects.ts';
import { inResponses } from '../messages/http-messages.ts';
import { AUTHENTICATE, READ, RECORDS, SAVES } from '../methods.ts';

/** Change every answered JSON body, also of batches and of HTTP errors. */
const inJson = (change: (value: unknown) => unknown): EhrChange =>
  inBodies((body) => JSON.stringify(change(JSON.parse(body))));

/** Change the text of every answered body that looks like JSON. */
const inBodies = (change: (body: string) => string): EhrChange =>
  inResponses(({ body }) => (/^[[{]/.test(body) ? { body: change(body) } : {}));

/** Change every object in a JSON value, the inner ones first. */
const eachMember = (value: unknown, change: (members: Members) => Members): unknown => {
  if (Array.isArray(value)) return value.map((each) => eachMember(each, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachMember(each, change)])),
  );
};

/** An object with its members in the reverse order. */
const reversed = (members: Members): Members => Object.fromEntries(Object.entries(members).reverse());

/** Change the errors of JSON-RPC: the objects that have a code and a message. */
const inErrors = (change: (error: Members) => Members): EhrChange =>
  inJson((value) =>
    eachMember(value, (members) => ('code' in members && 'message' in members ? change(members) : members)),
  );

/** Add headers to every response, in the place of those of the same name. */
const withHeaders = (headers: Readonly<Record<string, string>>): EhrChange =>
  inResponses((answered) => ({ headers: { ...answered.headers, ...headers } }));

const capitalised = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** JSON with every letter beyond ASCII as an escape such as \u0451. */
const escaped = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Answer the saves with ids of another form. */
const savesWithIds = (idOf: (number: number) => string) =>
  after(done(SAVES), ({ seen }) => yes({ id: idOf(seen.count('saved')) }));

/** Thirty days. */
const MONTH_MINUTES = 43_200;

/** What a clinic may know of a relative. */
const RELATIVE = { name: 'Anna', surname: 'Petrova', birthdate: '1985-04-12', phone: '79990000001' };

export const harmlessMessages = harmlessOf([
  'other-texts: Errors have messages in another language',
  inErrors((error) => ({ ...error, message: 'Das geht nicht.' })),
  'more-in-errors: Errors have members of their own',
  inErrors((error) => ({ ...error, data: { ...membersOf(error.data), help: 'https://help.example' } })),
  'data-without-errors: Errors tell their reason, and no list of sentences',
  inErrors((error) => ({ ...error, data: { reason: membersOf(error.data).reason } })),
  { notPlayable: ['errors-are-sentences'] },
  'more-in-results: Results have members of their own',
  inResults([...RECORDS, ...SAVES], (result) => ({ ...result, server: 'example' })),
  'more-in-records: Records have members of their own',
  inRecords((record) => ({ ...record, bloodGroup: null, clinic: { id: 'c-1' } })),
  'more-in-replies: Replies have a member of their own beside the result',
  inJson((value) => (isObject(value) ? { ...value, took: 1 } : value)),
  'members-in-other-order: Members come in another order',
  inJson((value) => eachMember(value, reversed)),
  'pretty-printed: Replies are written over several lines',
  inBodies((body) => `${JSON.stringify(JSON.parse(body), null, 2)}\n`),
  'spaces-around: Replies have blank lines around them',
  inBodies((body) => `\n${body}\r\n`),
  'letters-escaped: Replies escape every letter beyond ASCII',
  inBodies(escaped),
  'ids-of-rows: Saved records have numbers as ids',
  savesWithIds(String),
  'ids-as-addresses: Saved records have addresses as ids',
  savesWithIds((number) => `https://ehr.example/records/${number}`),
  'headers-capitalised: The names of headers begin with capitals',
  inResponses(({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalised(name), value])),
  })),
  'more-headers: Replies have further headers',
  withHeaders({ 'x-request-id': '7', 'strict-transport-security': 'max-age=600', server: 'example' }),
  'closes-connections: Each reply ends its connection',
  withHeaders({ connection: 'close' }),
  'cache-control-with-more: Replies say more than no-store about caches',
  withHeaders({ 'cache-control': 'private, no-cache, No-Store, must-revalidate' }),
  'type-without-charset: The type of replies names no charset',
  withHeaders({ 'content-type': 'application/json' }),
  'other-json-of-faults: Faults of HTTP have JSON of another form',
  inResponses(({ status }) =>
    status >= 400
      ? { body: JSON.stringify({ type: 'about:blank', status, detail: 'The version served is 1.0-alpha.' }) }
      : {},
  ),
  'allow-in-other-order: The Allow header has another order and more methods',
  inResponses(({ headers }) =>
    'allow' in headers ? { headers: { ...headers, allow: 'OPTIONS,POST' } } : {},
  ),
  'preflight-with-more: The answer to a preflight says how long it holds',
  withHeaders({ 'access-control-max-age': '600' }),
  'own-values-repeated: Replies repeat the user and the session token of their own call',
  both(
    after(done(READ), ({ cred, result }) => yes({ ...result, ...cred })),
    after(done(SAVES), ({ authInfo: { user, token }, result }) => yes({ ...result, user, token })),
  ),
  'relatives-described: A record tells name, day of birth and phone of a relative',
  inRecords((record) => ({ ...record, familyMembers: [{ type: 1, patientId: 'p-anna', ...RELATIVE }] })),
  'records-without-relatives: No record names a relative',
  inRecords((record) => ({ ...record, familyMembers: [] })),
  'errors-numbered: Each error has a number of its own, under which the log tells more',
  after(refused(ANY), ({ reply, parts }) => {
    const { data } = membersOf(reply.error);
    return inError(reply, { data: { ...membersOf(data), incident: randomToken(parts.random) } });
  }),
  'own-properties-repeated: A failed match repeats what was sent, in the form in which it was compared',
  after(refused(AUTHENTICATE, 'patient_not_matched'), (turn) => {
    const { surname, phone, date } = propertiesIn(turn);
    const compared = {
      surname: String(surname).toUpperCase(),
      phone: digits(phone),
      day: String(date).slice(0, 10),
    };
    return inError(turn.reply, { compared });
  }),
  { told: ['errors-tell-no-secrets'] },
  'signatures-with-version: Each user_sign begins with the version of its form',
  withStore((store) => ({
    link: (request) => store.link({ ...request, newUserSign: `ehr-sign-v1_${request.newUserSign}` }),
  })),
  'ttl-of-a-month-at-most: A ttl above a month is refused',
  withRules({ maxTtl: MONTH_MINUTES }),
  'one-origin-for-all: Every reply names the one origin that may call, whoever calls',
  inResponses(({ headers }) => ({
    headers: {
      ...headers,
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
    },
  })),
]);
