/** What the replies hold: record, signature, ids (§2.6, §4.4, decisions 15 to 17, 29 and 33). */
import { isObject } from '#protocol/wire/envelope.ts';
import { patient } from '#protocol/wire/fields.ts';
import { check, done, type EhrCheck, refused } from '../../check.ts';
import { propertiesOf } from '../../world/patients.ts';
import { replyIn } from '../../world/reply-in.ts';
import type { Called, EhrWorld } from '../../world/world.ts';

const MEMBERS = Object.keys(patient.shape);

/** 256 bits in base64url. */
const MIN_SIGN_CHARS = 43;

function recordOf({ reply }: Called): Record<string, unknown> {
  const result = isObject(reply?.result) ? reply.result : {};
  return isObject(result.patient) ? result.patient : {};
}

/** Returns the paths of the members of a record that are wrong, such as `phones.0`, without those missing. */
export function wrongMembers(record: Record<string, unknown>): string[] {
  const parsed = patient.safeParse(record);
  const wrong = parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
  return [...new Set(wrong)].filter((name) => name in record || name.includes('.'));
}

/** Notes what is wrong with a record, by the names of its members alone. */
function noteRecord(world: EhrWorld<'read the patient'>, called: Called): void {
  const record = recordOf(called);
  world.observe('read the patient', {
    missing: MEMBERS.filter((name) => !(name in record)).join(', '),
    wrong: wrongMembers(record).join(', '),
  });
}

async function readLinked(world: EhrWorld<'read the patient'>): Promise<void> {
  const { session } = await world.linked();
  noteRecord(world, await world.getPatient('read the patient', session));
}

/** How the journal shows a token, a signature or a digest. */
const SECRET = /‹(session-token|exchange-token|user-sign|digest) \d+›/;

/** Beyond ten years, in either unit. */
const ENDLESS_TTL = 1e12;

/** Changes to a right authInfo, by what is wrong. */
const WRONG_AUTH_INFOS: Readonly<Record<string, Record<string, unknown>>> = {
  'ttl 0': { ttl: 0 },
  'ttl -5': { ttl: -5 },
  'ttl 1.5': { ttl: 1.5 },
  'ttl as text': { ttl: '60' },
  'ttl null': { ttl: null },
  'ttl true': { ttl: true },
  'ttl as a list': { ttl: [60] },
  'without ttl': { ttl: undefined },
  'ttl without end': { ttl: ENDLESS_TTL },
  'user as a number': { user: 12 },
  'an empty user': { user: '' },
  'without user': { user: undefined },
  'token as a number': { token: 12 },
  'an empty token': { token: '' },
  'without token': { token: undefined },
};

function wrongAuthInfos() {
  const labels = Object.keys(WRONG_AUTH_INFOS).flatMap((label) => [
    label,
    `${label}, with an exchange token`,
  ]);
  const all = [
    ...labels,
    'without authInfo',
    'without exchange token',
    'an empty exchange token',
    'an exchange token without authInfo',
  ];
  return Object.fromEntries(all.map((label) => [label, refused('invalid_params')]));
}

export const recordChecks: readonly EhrCheck[] = [
  check({
    id: 'members-of-record',
    title: 'The patient record has the published members',
    requirements: ['D29-patient-record'],
    expect: { 'read the patient': done },
    play: readLinked,
    judge({ of, observed }) {
      const missing = observed('read the patient')?.missing;
      return missing === ''
        ? undefined
        : { expected: MEMBERS.join(', '), actual: `without ${missing}`, shownBy: [of('read the patient')] };
    },
    advice: 'Send every member, null where nothing is known; further members beside them are allowed.',
  }),
  check({
    id: 'types-of-record',
    title: 'The members of the patient record have the published types',
    requirements: ['D33-record-types'],
    expect: { 'read the patient': done },
    play: readLinked,
    judge({ of, observed }) {
      const wrong = observed('read the patient')?.wrong;
      return wrong === ''
        ? undefined
        : {
            expected: 'the published types',
            actual: `other types in: ${wrong}`,
            shownBy: [of('read the patient')],
          };
    },
    advice:
      'Send birthdate and created as ISO date-times, maritalStatus from 0 to 5, lists where lists are published.',
  }),
  check({
    id: 'same-reply-of-both',
    title: 'authenticate and get_patient both result in patient, user_sign and userSign, the last two equal',
    requirements: ['D16-result-shape', '2.6-sign-is-string', '4.4-record-and-sign'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      const pending = await world.pending();
      await world.authenticate('authenticate', pending, propertiesOf(pending.person));
      await world.getPatient('read the patient', pending.session);
    },
    judge({ of }) {
      const both = [of('authenticate'), of('read the patient')];
      const values = both.map(({ result }) => (result.kind === 'done' ? result.values : {}));
      const lacking = ['patient', 'user_sign', 'userSign'].find((name) =>
        values.some((each) => each[name] === undefined),
      );
      if (lacking !== undefined)
        return {
          expected: 'patient, user_sign and userSign in both',
          actual: `${lacking} is missing or no text`,
          shownBy: both,
        };
      const [first, second] = values;
      if (
        first?.userSign === first?.user_sign &&
        first?.userSign === second?.userSign &&
        first?.patient === second?.patient
      )
        return undefined;
      return { expected: 'equal signatures and the same patient', actual: 'they differ', shownBy: both };
    },
    advice: 'Return { patient, user_sign, userSign } from both methods; clients of the field read userSign.',
  }),
  check({
    id: 'signature-random',
    title: 'A user_sign has at least 256 bits, is written in base64url, and is new for each link',
    requirements: ['D15-sign-random', 'D15-sign-per-link'],
    expect: { 'the first link': done, 'the second link': done },
    async play(world) {
      for (const label of ['the first link', 'the second link'] as const) {
        const pending = await world.pending();
        const { reply } = await world.authenticate(label, pending, propertiesOf(pending.person));
        const sign = isObject(reply?.result) ? String(reply.result.user_sign ?? reply.result.userSign) : '';
        const isLong = /^[A-Za-z0-9_-]+$/.test(sign) && sign.length >= MIN_SIGN_CHARS;
        world.observe(label, { isLong, characters: sign.length });
      }
    },
    judge({ of, observed }) {
      const both = [of('the first link'), of('the second link')];
      const short = (['the first link', 'the second link'] as const).find(
        (label) => observed(label)?.isLong !== true,
      );
      if (short !== undefined)
        return {
          expected: `at least ${MIN_SIGN_CHARS} characters of base64url`,
          actual: `${observed(short)?.characters} characters, or others`,
          shownBy: [of(short)],
        };
      const [first, second] = both.map(({ result }) =>
        result.kind === 'done' ? result.values.user_sign : '',
      );
      return first === second
        ? { expected: 'another user_sign for another link', actual: 'the same one', shownBy: both }
        : undefined;
    },
    advice: 'Draw 32 random bytes for each link and write them in base64url.',
  }),
  check({
    id: 'saves-return-id',
    title: 'Both save methods result in an object whose member id is a text',
    requirements: ['D17-saves-return-id'],
    expect: { 'save an exchange token': done, 'save a session': done },
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.saveExchangeToken('save an exchange token', world.invented('exchange-token'), session);
      await world.saveAuthInfo('save a session', world.session(session.user), userSign);
    },
    judge({ of }) {
      const both = [of('save an exchange token'), of('save a session')];
      const idOf = ({ result }: (typeof both)[number]) =>
        result.kind === 'done' ? result.values.id : undefined;
      const bare = both.find((played) => idOf(played) === undefined);
      if (bare)
        return { expected: 'a result with a text id', actual: 'a result without it', shownBy: [bare] };
      const secret = both.find((played) => SECRET.test(idOf(played) ?? ''));
      return secret && { expected: 'an opaque id', actual: 'an id that is a token', shownBy: [secret] };
    },
    advice: 'Return { id } with an opaque id of the record.',
  }),
  check({
    id: 'removals-return-nothing',
    title: 'The success reply of a removal has an empty object as result',
    requirements: ['4-empty-result'],
    expect: { 'log out': done, disconnect: done },
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.removeAuthInfo('log out', session);
      const next = world.session(session.user);
      await world.mustSucceed('save a session', (label) => world.saveAuthInfo(label, next, userSign));
      await world.removeAuthentication('disconnect', next);
    },
    judge({ of }) {
      const other = [of('log out'), of('disconnect')].find((played) => {
        const reply = replyIn(played);
        return reply?.jsonrpc !== '2.0' || JSON.stringify(reply.result) !== '{}';
      });
      return (
        other && { expected: '{"jsonrpc":"2.0","result":{},…}', actual: 'another reply', shownBy: [other] }
      );
    },
    advice: 'Answer both removals with an empty object as result.',
  }),
  check({
    id: 'auth-info-checked',
    title: 'An authInfo whose user, token or ttl is missing, of the wrong type or out of range is refused',
    requirements: [
      '2.3-auth-info-checked',
      'D9-ttl-from-one',
      'D9-ttl-upper-bound',
      '4.2-params-checked',
      'DE-invalid-params',
    ],
    control: ['a right authInfo'],
    expect: wrongAuthInfos(),
    async play(world) {
      const { session, userSign } = await world.linked();
      for (const [label, change] of Object.entries(WRONG_AUTH_INFOS)) {
        const authInfo = { ...world.session(session.user), ...change };
        await world.saveAuthInfo(label, authInfo as never, userSign, { mistake: label });
        const token = { exchangeToken: world.invented('exchange-token') };
        await world.saveExchangeToken(
          `${label}, with an exchange token`,
          token.exchangeToken,
          authInfo as never,
          { mistake: label },
        );
      }
      await world.saveExchangeToken('an empty exchange token', '', session);
      await world.saveAuthInfo('without authInfo', session, userSign, { params: { authInfo: undefined } });
      const exchangeToken = world.invented('exchange-token');
      await world.saveExchangeToken('without exchange token', exchangeToken, session, {
        params: { exchangeToken: undefined },
      });
      await world.saveExchangeToken('an exchange token without authInfo', exchangeToken, session, {
        params: { authInfo: undefined },
      });
      await world.saveAuthInfo('a right authInfo', world.session(session.user), userSign);
    },
    advice: 'Check user and token as texts and ttl as a whole number from 1 to the bound, before the digest.',
  }),
];
