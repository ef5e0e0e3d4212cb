/**
 * Checks of what an EHR server's replies contain: the patient record, the user_sign, the ids of saves (§2.6,
 * §4.4, decisions 15 to 17, 29 and 33).
 */
import { patient } from '#protocol/wire/fields.ts';
import { check, done, type EhrCheck, labelled, nothingWrong, refused } from '../../check.ts';
import { membersOf, recordIn, signsIn } from '../../world/answer.ts';
import type { AuthInfo } from '../../world/messages.ts';
import { replyIn, signOf, valuesOf } from '../../world/played.ts';
import type { EhrWorld } from '../../world/world.ts';

const MEMBERS = Object.keys(patient.shape);

/** So many characters of base64url have 256 bits. */
const MIN_SIGN_CHARS = 43;

/** Returns the paths of wrong members of a record, such as `phones.0`. Missing members are not among them. */
export function wrongMembers(record: Record<string, unknown>): string[] {
  const parsed = patient.safeParse(record);
  const wrong = parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
  return [...new Set(wrong)].filter((name) => name in record || name.includes('.'));
}

/** Links a patient and reads the record. Notes the names of missing and wrong members, but no values. */
async function readLinked(world: EhrWorld<'read the patient'>): Promise<void> {
  const { session } = await world.linked();
  const record = recordIn((await world.getPatient('read the patient', session)).reply);
  world.observe('read the patient', {
    missing: MEMBERS.filter((name) => !(name in record)).join(', '),
    wrong: wrongMembers(record).join(', '),
  });
}

/** How the journal masks a token, a signature or a digest. */
const SECRET = /‹(session-token|exchange-token|user-sign|digest) \d+›/;

/** More than ten years, in seconds and in minutes. */
const ENDLESS_TTL = 1e12;

/** Changes to a right authInfo; the key says what is then wrong. */
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

const withToken = (label: string) => `${label}, with an exchange token`;

const LINKS = ['the first link', 'the second link'] as const;

export const recordChecks: readonly EhrCheck[] = [
  check({
    id: 'members-of-record',
    title: 'The patient record has the published members',
    requirements: ['D29-patient-record'],
    expect: { 'read the patient': done },
    play: readLinked,
    judge: nothingWrong(MEMBERS.join(', '), ['read the patient'], (_played, { observed }) => {
      const missing = observed('read the patient')?.missing;
      return missing !== '' && `without ${missing}`;
    }),
    advice: 'Send every member, null where nothing is known; further members beside them are allowed.',
  }),
  check({
    id: 'types-of-record',
    title: 'The members of the patient record have the published types',
    requirements: ['D33-record-types'],
    expect: { 'read the patient': done },
    play: readLinked,
    judge: nothingWrong('the published types', ['read the patient'], (_played, { observed }) => {
      const wrong = observed('read the patient')?.wrong;
      return wrong !== '' && `other types in: ${wrong}`;
    }),
    advice:
      'Send birthdate and created as ISO date-times, maritalStatus from 0 to 5, lists where lists are published.',
  }),
  check({
    id: 'same-reply-of-both',
    title: 'authenticate and get_patient both result in patient, user_sign and userSign, the last two equal',
    requirements: ['D16-result-shape'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      const pending = await world.signIn('authenticate');
      await world.getPatient('read the patient', pending.session);
    },
    judge({ of }) {
      const shownBy = [of('authenticate'), of('read the patient')];
      const both = shownBy.map(valuesOf);
      const names = ['patient', 'user_sign', 'userSign'];
      const lacking = names.find((name) => both.some((each) => each[name] === undefined));
      if (lacking !== undefined)
        return {
          expected: 'patient, user_sign and userSign in both',
          actual: `${lacking} is missing or no text`,
          shownBy,
        };
      const signs = new Set(both.flatMap(({ userSign, user_sign }) => [userSign, user_sign]));
      const patients = new Set(both.map(({ patient }) => patient));
      if (signs.size === 1 && patients.size === 1) return undefined;
      return { expected: 'equal signatures and the same patient', actual: 'they differ', shownBy };
    },
    advice: 'Return { patient, user_sign, userSign } from both methods; clients of the field read userSign.',
  }),
  check({
    id: 'read-has-record-and-sign',
    title: 'get_patient results in patient data and in user_sign, a text',
    requirements: ['2.6-sign-is-string', '4.4-record-and-sign'],
    expect: { 'read the patient': done },
    async play(world) {
      const { session } = await world.linked();
      const { reply } = await world.getPatient('read the patient', session);
      const result = membersOf(reply?.result);
      const names = Object.keys(result).filter((name) => !/^user_?sign$/i.test(name));
      const isSigned = signsIn(result).length > 0;
      const missing = [isSigned ? '' : 'user_sign', names.length > 0 ? '' : 'patient data'].filter(Boolean);
      world.observe('read the patient', { missing: missing.join(', ') });
    },
    judge: nothingWrong('patient data and user_sign', ['read the patient'], (_played, { observed }) => {
      const missing = observed('read the patient')?.missing;
      return missing !== '' && `without ${missing}`;
    }),
    advice: 'Send the record of the linked patient, and the signature of the link as user_sign.',
  }),
  check({
    id: 'signature-random',
    title: 'A user_sign has at least 256 bits, is written in base64url, and is new for each link',
    requirements: ['D15-sign-random', 'D15-sign-per-link'],
    expect: { 'the first link': done, 'the second link': done },
    async play(world) {
      for (const label of LINKS) {
        const { reply } = await world.signIn(label);
        const { user_sign, userSign } = membersOf(reply?.result);
        const sign = String(user_sign ?? userSign ?? '');
        const isLong = /^[A-Za-z0-9_-]+$/.test(sign) && sign.length >= MIN_SIGN_CHARS;
        world.observe(label, { isLong, characters: sign.length });
      }
    },
    judge({ of, observed }) {
      const shownBy = LINKS.map(of);
      const short = LINKS.find((label) => observed(label)?.isLong !== true);
      if (short !== undefined)
        return {
          expected: `at least ${MIN_SIGN_CHARS} characters of base64url`,
          actual: `${observed(short)?.characters} characters, or others`,
          shownBy: [of(short)],
        };
      // The reply of authenticate need not have a signature.
      const signs = shownBy.flatMap((played) => signOf(played) ?? []);
      if (new Set(signs).size === signs.length) return undefined;
      return { expected: 'another user_sign for another link', actual: 'the same one', shownBy };
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
      const [exchangeToken, next] = [world.invented('exchange-token'), world.session(session.user)];
      await world.saveExchangeToken('save an exchange token', exchangeToken, next);
      await world.saveAuthInfo('save a session', world.session(session.user), userSign);
    },
    judge({ of }) {
      const both = [of('save an exchange token'), of('save a session')];
      const bare = both.find((played) => valuesOf(played).id === undefined);
      if (bare)
        return { expected: 'a result with a text id', actual: 'a result without it', shownBy: [bare] };
      const secret = both.find((played) => SECRET.test(valuesOf(played).id ?? ''));
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
      const next = await world.saved({ session, userSign });
      await world.removeAuthentication('disconnect', next);
    },
    judge: nothingWrong('{"jsonrpc":"2.0","result":{},…}', ['log out', 'disconnect'], (played) => {
      const { jsonrpc, result } = replyIn(played) ?? {};
      return (jsonrpc !== '2.0' || JSON.stringify(result) !== '{}') && 'another reply';
    }),
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
    expect: labelled<string>(
      [
        ...Object.keys(WRONG_AUTH_INFOS).flatMap((label) => [label, withToken(label)]),
        'without authInfo',
        'without exchange token',
        'an empty exchange token',
        'an exchange token without authInfo',
      ],
      refused('invalid_params'),
    ),
    async play(world) {
      const { session, userSign } = await world.linked();
      const exchangeToken = world.invented('exchange-token');
      for (const [label, change] of Object.entries(WRONG_AUTH_INFOS)) {
        const authInfo = { ...world.session(session.user), ...change } as AuthInfo;
        const another = world.invented('exchange-token');
        await world.saveAuthInfo(label, authInfo, userSign, { mistake: label });
        await world.saveExchangeToken(withToken(label), another, authInfo, { mistake: label });
      }
      await world.saveExchangeToken('an empty exchange token', '', session);
      const bare = { params: { authInfo: undefined } };
      const withoutToken = { params: { exchangeToken: undefined } };
      await world.saveAuthInfo('without authInfo', session, userSign, bare);
      await world.saveExchangeToken('without exchange token', exchangeToken, session, withoutToken);
      await world.saveExchangeToken('an exchange token without authInfo', exchangeToken, session, bare);
      await world.saveAuthInfo('a right authInfo', world.session(session.user), userSign);
    },
    advice: 'Check user and token as texts and ttl as a whole number from 1 to the bound, before the digest.',
  }),
];
