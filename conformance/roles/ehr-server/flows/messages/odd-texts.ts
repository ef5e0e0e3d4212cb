/**
 * Checks that an EHR server keeps every text as it is: letters beyond ASCII in users and tokens, control
 * characters, bytes that are no UTF-8.
 */
import {
  check,
  codeOf,
  done,
  type EhrCheck,
  type EhrExpectation,
  labelled,
  refused,
  survives,
} from '../../check.ts';
import { readCall } from '../../world/messages.ts';
import { propertiesOf } from '../../world/patients.ts';
import { signOf } from '../../world/played.ts';

/** Requires that the last step of the label succeeds. */
const atLast: EhrExpectation = {
  kind: 'done',
  judge: (label, played) => done.judge(label, played.slice(-1)),
};

/** Texts that a server may refuse, and must not fail on. */
const ODD = {
  'a zero byte': 'a\u0000b',
  'a line end': 'a\r\nb',
  'an escape sequence': '\u001b[31m',
  'half a surrogate pair': 'a\ud800',
  'a sign beyond the basic plane': '🙂',
  'a text from right to left': '\u202eabc',
} as const;

const asUser = (name: string) => `${name} in the user`;
const asToken = (name: string) => `${name} in the token`;
const asExchangeToken = (name: string) => `${name} in the exchange token`;
const asName = (name: string) => `${name} in the name`;
const asMethod = (name: string) => `${name} in the method`;
const BYTES = 'bytes that are no UTF-8';

/** Bytes of a call whose user has a letter in Latin-1: a byte that UTF-8 does not have there. */
const noUtf8 = () => Buffer.from(readCall({ cred: { user: 'Ren\u00e9', token: 'x' } }), 'latin1');

export const oddTextChecks: readonly EhrCheck[] = [
  check({
    id: 'odd-texts-answered',
    title: 'Control characters, odd letters and bytes that are no UTF-8 are no failure of the server',
    requirements: ['K-malformed-refused'],
    control: ['read at last'],
    expect: labelled<string>(
      [
        ...Object.keys(ODD).flatMap((name) =>
          [asUser, asToken, asExchangeToken, asName, asMethod].map((as) => as(name)),
        ),
        BYTES,
      ],
      survives,
    ),
    async play(world) {
      const { session, person } = await world.linked();
      const pending = await world.pendingFor({ person, session });
      for (const [name, text] of Object.entries(ODD)) {
        const mistake = { mistake: name };
        await world.getPatient(asUser(name), { ...session, user: text }, mistake);
        await world.getPatient(asToken(name), { ...session, token: text }, mistake);
        await world.authenticate(asExchangeToken(name), { ...pending, exchangeToken: text, person }, mistake);
        // The exchange token is unknown: no failed match is counted.
        const properties = { ...propertiesOf(person), name: text };
        await world.authenticate(
          asName(name),
          { ...pending, exchangeToken: text },
          { properties, ...mistake },
        );
        await world.getPatient(asMethod(name), session, { envelope: { method: text }, ...mistake });
      }
      // The kit keeps only the length of this body. The cast is for `fetch`, which takes bytes too.
      const request = { ...world.post(''), body: noUtf8() as unknown as string };
      await world.send(BYTES, request, { isBig: true, mistake: BYTES });
      await world.getPatient('read at last', session);
    },
    advice: 'Refuse such a text by -32602 or -32600, or take it as any other; catch what the parser throws.',
  }),
  check({
    id: 'texts-beyond-ascii',
    title: 'Users and tokens with letters beyond ASCII are told apart, and keep their letters',
    requirements: ['K-text-whole'],
    control: ['read with a plain session'],
    expect: {
      'save an exchange token': done,
      authenticate: atLast,
      'read with it': done,
      'save a session': done,
      'read with the saved session': done,
      'read with another letter in the token': refused('not_authorized'),
      'read with another letter in the user': refused('not_authorized'),
    },
    async play(world) {
      const plain = await world.linked();
      await world.getPatient('read with a plain session', plain.session);
      const person = await world.patient();
      const tail = world.invented('session-token');
      const session = { ...world.session(`пациент-ü-${world.session().user}`), token: `ключ-é-${tail}` };
      const exchangeToken = `обмен-ß-${world.invented('exchange-token')}`;
      const linkBy = async (token: string) => {
        await world.saveExchangeToken('save an exchange token', token, session);
        return world.authenticate('authenticate', { exchangeToken: token, session, person });
      };
      let linked = await linkBy(exchangeToken);
      // A server may bound the form of exchange tokens.
      const { result } = linked;
      if (result.kind === 'refused' && result.code === codeOf('invalid_params'))
        linked = await linkBy(world.invented('exchange-token'));
      await world.getPatient('read with it', session);
      const next = { ...session, token: `ключ-è-${tail}` };
      await world.saveAuthInfo('save a session', next, signOf(linked) ?? '');
      await world.getPatient('read with the saved session', next);
      await world.getPatient('read with another letter in the token', {
        ...session,
        token: `ключ-ê-${tail}`,
      });
      const user = session.user.replace('ü', 'û');
      await world.getPatient('read with another letter in the user', { ...session, user });
    },
    advice: 'Read and write every text as UTF-8, in the digest and in the database too.',
  }),
];
