/**
 * Checks that an EHR server examines the JSON-RPC envelope of a request, and which of several faults it finds
 * first (§2.1, decisions 4, 5 and 8).
 */

import type { Reason } from '#protocol/wire/errors.ts';
import {
  check,
  done,
  type EhrCheck,
  type EhrExpectation,
  entriesOf,
  labelled,
  refused,
  refusedBy,
} from '../../check.ts';
import { METHODS, readCall } from '../../world/messages.ts';
import type { EhrWorld } from '../../world/world.ts';

/** The part of a check that sends wrong bodies, each of which must be refused for this reason. */
const bodiesRefused = <L extends string>(reason: Reason, bodies: Readonly<Record<L, string>>) =>
  bodiesEnd(refusedBy(reason), bodies);

/** The part of a check that sends bodies, each of which must end as expected. */
const bodiesEnd = <L extends string>(expected: EhrExpectation, bodies: Readonly<Record<L, string>>) => ({
  expect: labelled(bodies, expected),
  async play(world: EhrWorld<L>) {
    for (const label of Object.keys(bodies) as L[])
      await world.send(label, world.post(bodies[label]), { mistake: label });
  },
});

const phone = '79990000001';
/** A read whose params are this JSON text. */
const withParams = (text: string) => readCall({}).replace('"params":{}', `"params":${text}`);
/** Lists in lists, 40 levels deep. */
const deep = `${'['.repeat(40)}${']'.repeat(40)}`;

export const envelopeChecks: readonly EhrCheck[] = [
  check({
    id: 'not-json-refused',
    title: 'A body that is not JSON is refused as parse_error',
    requirements: ['DE-parse-error'],
    ...bodiesRefused('parse_error', {
      'half an object': '{"jsonrpc":"2.0","id":1,',
      'a word': 'hello',
      'an empty body': '',
    }),
    advice: 'Answer HTTP 200 with code -32700 and the id null.',
  }),
  check({
    id: 'no-request-refused',
    title: 'JSON that is no request envelope, or an empty batch, is refused as invalid_request',
    requirements: ['DE-invalid-request'],
    ...bodiesRefused('invalid_request', {
      'a number': '7',
      'a text': '"patient.get_patient"',
      null: 'null',
      'an empty batch': '[]',
      'an object without members': '{}',
    }),
    advice: 'Answer code -32600 where the JSON is no request object.',
  }),
  check({
    id: 'jsonrpc-checked',
    title: 'A request whose jsonrpc is missing or anything but "2.0" is refused as invalid_request',
    requirements: ['2.1-jsonrpc-checked'],
    ...bodiesRefused('invalid_request', {
      'without jsonrpc': readCall({ jsonrpc: undefined }),
      'jsonrpc 1.0': readCall({ jsonrpc: '1.0' }),
      'jsonrpc as a number': readCall({ jsonrpc: 2 }),
    }),
    advice: 'Compare jsonrpc with the text 2.0, and answer -32600 otherwise.',
  }),
  check({
    id: 'method-checked',
    title: 'A request whose method is missing or not a string is refused as invalid_request',
    requirements: ['2.1-method-checked'],
    ...bodiesRefused('invalid_request', {
      'without method': readCall({ method: undefined }),
      'method as a number': readCall({ method: 1 }),
      'method null': readCall({ method: null }),
    }),
    advice: 'Answer -32600 where method is no string.',
  }),
  check({
    id: 'unknown-method-refused',
    title: 'A method that does not exist is refused as method_not_found',
    requirements: ['DE-method-not-found'],
    ...bodiesRefused('method_not_found', {
      'an unknown method': readCall({ method: 'patient.get_everything' }),
      'in capitals': readCall({ method: METHODS.getPatient.toUpperCase() }),
      'a name of every object': readCall({ method: 'constructor' }),
    }),
    advice: 'Answer -32601 for any name that is not in the table, also for names of the language.',
  }),
  check({
    id: 'published-names-not-served',
    title: 'The methods are named embedded_storage.*; the names auth.* are not served',
    requirements: ['D35-method-names'],
    ...bodiesRefused('method_not_found', {
      'auth.save_auth_info': readCall({ method: 'auth.save_auth_info' }),
      'auth.authenticate': readCall({ method: 'auth.authenticate' }),
    }),
    advice: 'Serve the names that clients send: embedded_storage.* and patient.get_patient.',
  }),
  check({
    id: 'no-sign-in-of-its-own',
    title: 'The EHR server offers no method with which an end user signs in',
    requirements: ['1-no-own-sign-in'],
    // By any code: whether the method or the cred is looked at first is left to the server.
    ...bodiesEnd(refused(), {
      'auth.login': readCall({ method: 'auth.login', params: { user: 'anybody' } }),
      'auth.request_otp': readCall({ method: 'auth.request_otp', params: { phone } }),
      'auth.confirm_otp': readCall({ method: 'auth.confirm_otp', params: { phone, code: '000000' } }),
    }),
    advice: 'Leave sign-in to the authorization server: a session comes from there alone.',
  }),
  check({
    id: 'params-checked',
    title: 'A request whose params are a text, a number, a boolean or a list with elements is refused',
    requirements: ['2.1-params-checked'],
    control: ['an object'],
    expect: { 'a text': refused(), 'a number': refused(), true: refused(), 'a list': refused() },
    async play(world) {
      const { session } = await world.linked();
      const wrong = { 'a text': 'all', 'a number': 7, true: true, 'a list': [1] };
      for (const [label, params] of entriesOf(wrong))
        await world.getPatient(label, session, { envelope: { params } });
      await world.getPatient('an object', session);
    },
    advice: 'Take params as an object, as an empty list, or not at all.',
  }),
  check({
    id: 'empty-params-taken',
    title: 'Absent params and an empty list both mean an empty object, and unknown members are ignored',
    requirements: ['D5-empty-params', 'D5-unknown-members'],
    expect: {
      'without params': done,
      'an empty list': done,
      'unknown members': done,
      'unknown params': done,
    },
    async play(world) {
      const { session } = await world.linked();
      const envelope = { apiKey: { any: ['thing'] }, trace: 7 };
      await world.getPatient('without params', session, { envelope: { params: undefined } });
      await world.getPatient('an empty list', session, { envelope: { params: [] } });
      await world.getPatient('unknown members', session, { envelope });
      await world.getPatient('unknown params', session, { params: { language: 'en', nothing: null } });
    },
    advice: 'Ignore members that you do not know, whatever their value: clients of the field send apiKey.',
  }),
  check({
    id: 'ambiguous-json-refused',
    title: 'A message with a member twice, an unpaired surrogate, __proto__ or deep nesting is refused',
    requirements: ['X-ijson'],
    ...bodiesRefused('invalid_request', {
      'a member twice': '{"jsonrpc":"2.0","id":1,"method":"patient.get_patient","params":{},"id":2}',
      'a member named __proto__': withParams('{"__proto__":{}}'),
      'an unpaired surrogate': withParams('{"a":"\\ud800"}'),
      'nested beyond 32 levels': withParams(`{"a":${deep}}`),
    }),
    advice: 'Refuse JSON that two parsers may read differently (RFC 7493).',
  }),
  check({
    id: 'order-of-checks',
    title: 'Of several faults in one call the one that stands first in the order of checks is told',
    requirements: [
      'D8-envelope-before-method',
      'D8-method-before-cred',
      'D8-cred-shape-before-params',
      'D8-params-before-cred-verified',
      'D8-cred-verified-before-method',
    ],
    expect: {
      'no jsonrpc, unknown method': refusedBy('invalid_request'),
      'unknown method, malformed cred': refusedBy('method_not_found'),
      'malformed cred': refused(),
      'malformed cred, wrong params': refused(),
      'wrong params, unknown session': refusedBy('invalid_params'),
      'unknown session, wrong digest': refusedBy('not_authorized'),
    },
    async play(world) {
      const { session, userSign } = await world.linked();
      const noVersion = readCall({ jsonrpc: undefined, method: 'no.method' });
      await world.send('no jsonrpc, unknown method', world.post(noVersion));
      const noMethod = readCall({ method: 'no.method', cred: { user: 1 } });
      await world.send('unknown method, malformed cred', world.post(noMethod));
      await world.saveAuthInfo('malformed cred', session, userSign, { cred: { user: 1 } });
      const timeless = { ...session, ttl: 0 };
      await world.saveAuthInfo('malformed cred, wrong params', timeless, userSign, { cred: { user: 1 } });
      const wrong = { user: session.user, token: '', ttl: 0 };
      const cred = { user: world.settings.internal.user, token: '0'.repeat(40) };
      await world.saveAuthInfo('wrong params, unknown session', wrong, userSign, { cred });
      await world.saveAuthInfo('unknown session, wrong digest', session, userSign, { cred });
    },
    judge({ of }) {
      // No decision says which code a malformed cred has. Wrong params in the same call must not change it.
      const [alone, both] = [of('malformed cred'), of('malformed cred, wrong params')];
      const codes = [alone, both].map(({ result }) => (result.kind === 'refused' ? result.code : undefined));
      if (codes[0] === codes[1]) return undefined;
      return {
        expected: `code ${codes[0]}, as for the malformed cred alone`,
        actual: `code ${codes[1]}: the params were looked at first`,
        shownBy: [alone, both],
      };
    },
    advice:
      'Check in this order: JSON, envelope, method, channel, shape of cred, params, cred itself, method.',
  }),
];
