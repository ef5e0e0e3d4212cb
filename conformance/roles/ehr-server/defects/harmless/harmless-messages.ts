/** Harmless variants of messages: other texts, members, headers and forms of JSON. */
import { isObject } from '#protocol/wire/envelope.ts';
import { done } from '../../../../engine/defects/operators.ts';
import { type Members, membersOf, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { after, inRecords, inResults } from '../changes.ts';
import { harmless } from '../defect.ts';
import { inResponses } from '../messages/http-messages.ts';
import { RECORDS, SAVES } from '../methods.ts';

/** Change every JSON body, batches and faults of HTTP included. */
const inJson = (change: (value: unknown) => unknown): EhrChange =>
  inBodies((body) => JSON.stringify(change(JSON.parse(body))));

const inBodies = (change: (body: string) => string): EhrChange =>
  inResponses(({ body }) => (/^[[{]/.test(body) ? { body: change(body) } : {}));

const eachMember = (value: unknown, change: (members: Members) => Members): unknown => {
  if (Array.isArray(value)) return value.map((each) => eachMember(each, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachMember(each, change)])),
  );
};

const reversed = (members: Members): Members => Object.fromEntries(Object.entries(members).reverse());

/** Change the errors of calls, which have a code. */
const inErrors = (change: (error: Members) => Members): EhrChange =>
  inJson((value) =>
    eachMember(value, (members) => ('code' in members && 'message' in members ? change(members) : members)),
  );

const withHeaders = (headers: Readonly<Record<string, string>>): EhrChange =>
  inResponses((answered) => ({ headers: { ...answered.headers, ...headers } }));

const capitalised = (name: string) => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const escaped = (text: string) =>
  text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Give the saved records ids of another form. */
const savesWithIds = (idOf: (number: number) => string) =>
  after(done(SAVES), ({ seen }) => yes({ id: idOf(seen.count('saved')) }));

export const harmlessMessages = harmless({
  'other-texts': {
    title: 'Errors have messages in another language',
    change: inErrors((error) => ({ ...error, message: 'Das geht nicht.' })),
  },
  'more-in-errors': {
    title: 'Errors have members of their own',
    change: inErrors((error) => ({
      ...error,
      data: { ...membersOf(error.data), help: 'https://help.example' },
    })),
  },
  'data-without-errors': {
    title: 'Errors tell their reason, and no list of sentences',
    change: inErrors((error) => ({ ...error, data: { reason: membersOf(error.data).reason } })),
    notPlayable: ['errors-are-sentences'],
  },
  'more-in-results': {
    title: 'Results have members of their own',
    change: inResults([...RECORDS, ...SAVES], (result) => ({ ...result, server: 'example' })),
  },
  'more-in-records': {
    title: 'Records have members of their own',
    change: inRecords((record) => ({ ...record, bloodGroup: null, clinic: { id: 'c-1' } })),
  },
  'more-in-replies': {
    title: 'Replies have a member of their own beside the result',
    change: inJson((value) => (isObject(value) ? { ...value, took: 1 } : value)),
  },
  'members-in-other-order': {
    title: 'Members come in another order',
    change: inJson((value) => eachMember(value, reversed)),
  },
  'pretty-printed': {
    title: 'Replies are written over several lines',
    change: inBodies((body) => `${JSON.stringify(JSON.parse(body), null, 2)}\n`),
  },
  'spaces-around': {
    title: 'Replies have blank lines around them',
    change: inBodies((body) => `\n${body}\r\n`),
  },
  'letters-escaped': { title: 'Replies escape every letter beyond ASCII', change: inBodies(escaped) },
  'ids-of-rows': { title: 'Saved records have numbers as ids', change: savesWithIds(String) },
  'ids-as-addresses': {
    title: 'Saved records have addresses as ids',
    change: savesWithIds((number) => `https://ehr.example/records/${number}`),
  },
  'headers-capitalised': {
    title: 'The names of headers begin with capitals',
    change: inResponses(({ headers }) => ({
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalised(name), value])),
    })),
  },
  'more-headers': {
    title: 'Replies have further headers',
    change: withHeaders({
      'x-request-id': '7',
      'strict-transport-security': 'max-age=600',
      server: 'example',
    }),
  },
  'closes-connections': {
    title: 'Each reply ends its connection',
    change: withHeaders({ connection: 'close' }),
  },
  'cache-control-with-more': {
    title: 'Replies say more than no-store about caches',
    change: withHeaders({ 'cache-control': 'private, no-cache, No-Store, must-revalidate' }),
  },
  'type-without-charset': {
    title: 'The type of replies names no charset',
    change: withHeaders({ 'content-type': 'application/json' }),
  },
  'other-json-of-faults': {
    title: 'Faults of HTTP have JSON of another form',
    change: inResponses(({ status }) =>
      status >= 400
        ? {
            body: JSON.stringify({ type: 'about:blank', status, detail: 'The version served is 1.0-alpha.' }),
          }
        : {},
    ),
  },
  'allow-in-other-order': {
    title: 'The Allow header has another order and more methods',
    change: inResponses(({ headers }) =>
      'allow' in headers ? { headers: { ...headers, allow: 'OPTIONS,POST' } } : {},
    ),
  },
  'preflight-with-more': {
    title: 'The answer to a preflight says how long it holds',
    change: withHeaders({ 'access-control-max-age': '600' }),
  },
});
