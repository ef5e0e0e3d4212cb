/**
 * Harmless variants of the EHR server in its messages: other texts, further members and headers, other forms
 * of JSON, other limits. No check may fail for them. A text `id: title` begins a variant; its change of the
 * right server follows.
 */

import { isObject } from '#protocol/wire/envelope.ts';
import { done } from '../../../../engine/defects/operators.ts';
import { type Members, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { after, both, inRecords } from '../changes.ts';
import { harmlessOf } from '../defect.ts';
import { inResponses } from '../messages/http-messages.ts';
import { READ, SAVES } from '../methods.ts';

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

/** Change the errors of JSON-RPC: the objects that have a code and a message. */
const inErrors = (change: (error: Members) => Members): EhrChange =>
  inJson((value) =>
    eachMember(value, (members) => ('code' in members && 'message' in members ? change(members) : members)),
  );

/** What a clinic may know of a relative. */
const RELATIVE = { name: 'Anna', surname: 'Petrova', birthdate: '1985-04-12', phone: '79990000001' };

export const harmlessMessages = harmlessOf([
  'other-texts: Errors have messages in another language',
  inErrors((error) => ({ ...error, message: 'Das geht nicht.' })),
  'more-in-records: Records have members of their own',
  inRecords((record) => ({ ...record, bloodGroup: null, clinic: { id: 'c-1' } })),
  'own-values-repeated: Replies repeat the user and the session token of their own call',
  both(
    after(done(READ), ({ cred, result }) => yes({ ...result, ...cred })),
    after(done(SAVES), ({ authInfo: { user, token }, result }) => yes({ ...result, user, token })),
  ),
  'relatives-described: A record tells name, day of birth and phone of a relative',
  inRecords((record) => ({ ...record, familyMembers: [{ type: 1, patientId: 'p-anna', ...RELATIVE }] })),
]);
