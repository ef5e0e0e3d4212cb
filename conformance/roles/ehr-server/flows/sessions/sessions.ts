/** Checks of how sessions are saved and ended, what they open, and what a restart keeps. */
import { check, done, type EhrCheck, ends, entriesOf, labelled, refused } from '../../check.ts';
import type { Called } from '../../world/calls.ts';
import { type AuthInfo, type Cred, valuesOf, whatTells } from '../../world/messages.ts';
import type { EhrWorld, Linked } from '../../world/world.ts';

const saveOpensLinkedUser = check({
  id: 'save-opens-linked-user',
  title: 'save_auth_info opens a session of a user who was linked before, with the same patient',
  requirements: ['3-save-opens', '3-authenticated'],
  expect: { 'log out': done, 'save a new session': done, 'read before': done, 'read again': done },
  async play(world) {
    const { session, userSign } = await world.linked();
    await world.getPatient('read before', session);
    await world.removeAuthInfo('log out', session);
    const next = world.session(session.user);
    await world.saveAuthInfo('save a new session', next, userSign);
    await world.getPatient('read again', next);
  },
  judge({ of }) {
    const [before, again] = [of('read before'), of('read again')];
    const [expected = 'none', actual = 'none'] = [before, again].map((read) => valuesOf(read).patient);
    return expected === actual ? undefined : { expected, actual, shownBy: [before, again] };
  },
  advice: 'Keep the link when a session ends, and take it for the next one.',
});

export const sessionChecks: readonly EhrCheck[] = [
  saveOpensLinkedUser,
  check({
    id: 'repeated-save-refused',
    title: 'A repeated save_auth_info of a stored token is refused, and the session stays as it was',
    requirements: ['4.1-repeat-refused', '3-repeated-save-changes-nothing', '8-token-used-once'],
    control: ['first save'],
    expect: { 'second save': refused('token_already_stored'), 'read the patient': done },
    async play(world) {
      const { session, userSign } = await world.linked();
      const next = world.session(session.user);
      await world.saveAuthInfo('first save', next, userSign);
      await world.saveAuthInfo('second save', { ...next, ttl: world.ttl(1) }, userSign);
      await world.getPatient('read the patient', next);
    },
    advice: 'Give the session token a unique index, and refuse a token that is there.',
  }),
  check({
    id: 'token-unique-across-users',
    title: "A token stored for one user is refused for another, and opens the first user's patient alone",
    requirements: ['4.1-token-unique'],
    control: ['the holder reads'],
    expect: {
      'another user saves it': refused('token_already_stored'),
      'the other user reads': refused('not_authorized'),
    },
    async play(world) {
      const holder = await world.linked();
      const other = await world.linked();
      const taken = { ...other.session, token: holder.session.token };
      await world.saveAuthInfo('another user saves it', taken, other.userSign);
      await world.getPatient('the other user reads', taken);
      await world.getPatient('the holder reads', holder.session);
    },
    advice: 'Make the token unique in the whole system, not for each user.',
  }),
  check({
    id: 'unknown-user-not-saved',
    title: 'save_auth_info for a user who was never linked is refused, and opens nothing',
    requirements: ['5.1-digest-verified', '5.3-own-sign-needed'],
    expect: {
      'save a session': refused('user_unknown'),
      'save for the user in other letters': refused('user_unknown'),
      'save for the beginning of the user': refused('user_unknown'),
      'read the patient': refused('not_authorized'),
    },
    async play(world) {
      const { session, userSign } = await world.linked();
      const users = {
        'save a session': world.session().user,
        'save for the user in other letters': session.user.toUpperCase(),
        'save for the beginning of the user': session.user.slice(0, -1),
      };
      for (const [label, user] of entriesOf(users)) {
        const stranger = world.session(user);
        await world.saveAuthInfo(label, stranger, userSign);
        await world.getPatient('read the patient', stranger);
      }
    },
    advice:
      'Look the user up among the links that authenticate made; refuse a user who has none (code -34007).',
  }),
];

const NO_CRED = ['no cred', 'no cred, after a right call'] as const;

const CREDS = {
  'another token': ({ user }: Cred, { token }: Cred) => ({ user, token }),
  'another user': ({ token }: Cred, { user }: Cred) => ({ user, token }),
  'the user in capitals': ({ user, token }: Cred) => ({ user: user.toUpperCase(), token }),
  'the first letter of the token': ({ user, token }: Cred) => ({ user, token: token.slice(0, 1) }),
  'the token without its last letter': ({ user, token }: Cred) => ({ user, token: token.slice(0, -1) }),
  'a condition of SQL': () => ({ user: "' or 1=1 --", token: "' or 1=1 --" }),
};

export const noSessionChecks: readonly EhrCheck[] = [
  check({
    id: 'no-session-no-data',
    title: 'Without a stored session patient data is refused',
    requirements: ['3-no-session', '4.4-not-authenticated'],
    control: ['a stored session'],
    expect: {
      'an unknown session': refused('not_authorized'),
      ...labelled(CREDS, refused('not_authorized')),
      ...labelled(NO_CRED, refused()),
    },
    async play(world) {
      const { session } = await world.linked();
      const unknown = world.session();
      await world.getPatient('an unknown session', unknown);
      await world.getPatient('no cred', unknown, { cred: undefined });
      for (const [label, change] of entriesOf(CREDS)) await world.getPatient(label, change(session, unknown));
      await world.getPatient('a stored session', session);
      await world.getPatient('no cred, after a right call', session, { cred: undefined });
    },
    explains: ['save-needs-cred', 'exchange-token-alone-opens-nothing'],
    advice: 'Answer get_patient with code -33000 unless a session of exactly this user and token is stored.',
  }),
  check({
    id: 'not-authenticated-told-apart',
    title: 'The error of a read without a session differs from that of another fault of the same call',
    requirements: ['7-not-authenticated'],
    expect: { 'no session': refused(), 'an unknown method': refused() },
    async play(world) {
      for (const _ of [1, 2]) await world.getPatient('no session', world.session());
      await world.getPatient('an unknown method', world.session(), { envelope: { method: 'no.method' } });
    },
    judge({ all, of }) {
      const [one, again] = all('no session');
      const other = of('an unknown method');
      if (!one || !again || whatTells([other], [one, again]) !== undefined) return undefined;
      const shownBy = [one, other];
      return { expected: 'an error of its own', actual: 'the error of "an unknown method"', shownBy };
    },
    advice: 'Answer a read without a session by -33000: the client shows its form by that code.',
  }),
];

const WRONG_REMOVALS = [
  'log out without cred',
  'log out with an unknown token',
  "log out with another user's name",
  'disconnect without cred',
  'disconnect with an unknown token',
  "disconnect with another user's name",
] as const;

const removalNeedsSession = check({
  id: 'removal-needs-session',
  title: 'A removal without a cred, or with one that is no stored session, removes nothing',
  requirements: ['5.4-removals-cred-checked'],
  expect: { ...labelled(WRONG_REMOVALS, ends), 'read at last': done },
  async play(world) {
    const { session } = await world.linked();
    const unknown = world.session();
    const mixed = { user: unknown.user, token: session.token };
    const wrongToken = { user: session.user, token: unknown.token };
    await world.removeAuthInfo('log out without cred', session, { cred: undefined });
    await world.removeAuthInfo('log out with an unknown token', wrongToken);
    await world.removeAuthInfo("log out with another user's name", mixed);
    await world.removeAuthentication('disconnect without cred', session, { cred: undefined });
    await world.removeAuthentication('disconnect with an unknown token', wrongToken);
    await world.removeAuthentication("disconnect with another user's name", mixed);
    await world.getPatient('read at last', session);
  },
  explains: ['no-read-outlives-ending', 'session-token-compared-in-full'],
  advice: 'Verify user and token of the cred together before anything is removed.',
});

export const removalChecks: readonly EhrCheck[] = [
  check({
    id: 'disconnect-removes-link',
    title: 'After remove_authentication save_auth_info is refused for the user',
    requirements: ['3-disconnect-ends-session'],
    control: ['disconnect'],
    expect: { 'save a new session': refused('user_unknown') },
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.removeAuthentication('disconnect', session);
      await world.saveAuthInfo('save a new session', world.session(session.user), userSign);
    },
    advice: 'Delete the link and its user_sign together with the sessions of the user.',
  }),
  removalNeedsSession,
  check({
    id: 'logout-ends-its-exchange-tokens',
    title: 'remove_auth_info ends the pending exchange tokens of its session, and of no other',
    requirements: ['D36-logout-ends-pending'],
    control: ['log out'],
    expect: { 'token of this session': refused('exchange_token_unknown'), 'token of another session': done },
    async play(world) {
      const { person, session, userSign } = await world.linked();
      const other = await world.saved({ session, userSign });
      const own = await world.pendingFor({ person, session });
      world.needs(own.session === session, 'the server takes no exchange token for a live session');
      const others = await world.pending({ person, session: other });
      await world.removeAuthInfo('log out', session);
      await world.authenticate('token of this session', own);
      await world.authenticate('token of another session', others);
    },
    advice: 'Delete the exchange tokens of the session together with it.',
  }),
  check({
    id: 'disconnect-ends-exchange-tokens',
    title: 'remove_authentication ends all pending exchange tokens of the user',
    requirements: ['D36-disconnect-ends-pending'],
    control: ['disconnect'],
    expect: {
      'a token saved before': refused('exchange_token_unknown'),
      'a token of another session': refused('exchange_token_unknown'),
    },
    async play(world) {
      const linked = await world.linked();
      const { person, session } = linked;
      const other = await world.saved(linked);
      const pending = await world.pendingFor({ person, session });
      const others = await world.pendingFor({ person, session: other });
      await world.removeAuthentication('disconnect', session);
      await world.authenticate('a token saved before', pending);
      await world.authenticate('a token of another session', others);
    },
    advice: 'Delete the exchange tokens of the user together with the link.',
  }),
];

type Everything = { linked: Linked; sessions: Readonly<Record<(typeof KINDS)[number], AuthInfo>> };

const KINDS = [
  'of the first link',
  'saved and read',
  'saved and never read',
  'of another device',
  'saved last',
] as const;
type Kind = (typeof KINDS)[number];

/** Kinds of the newest session of a user, which disconnects: a server may let one session of a user live. */
const NEWEST = ['saved last', 'of another device'] as const;

async function everySession(
  world: EhrWorld,
  newest: (typeof NEWEST)[number] = 'saved last',
): Promise<Everything> {
  const linked = await world.linked();
  const { session } = linked;
  const read = await world.saved(linked);
  await world.mustSucceed('read with it', (label) => world.getPatient(label, read));
  const unread = await world.saved(linked);
  const early = newest === 'of another device' ? await world.saved(linked) : undefined;
  const device = await world.pending(world.again(linked));
  await world.link(device);
  const last = early ?? (await world.saved(linked));
  return {
    linked,
    sessions: {
      'of the first link': session,
      'saved and read': read,
      'saved and never read': unread,
      'of another device': device.session,
      'saved last': last,
    },
  };
}

const readOf = (kind: Kind) => `read with the session ${kind}` as const;

export const everySessionChecks: readonly EhrCheck[] = [
  check({
    id: 'link-ends-every-session',
    title: 'remove_authentication ends the sessions of the user, however made, and of nobody else',
    requirements: ['D20-all-sessions-removed'],
    control: ['disconnect', 'link again'],
    expect: { ...labelled(KINDS.map(readOf), refused('not_authorized')), 'another user reads': done },
    async play(world) {
      const bystander = await world.linked();
      for (const kind of NEWEST) {
        const { linked, sessions } = await everySession(world, kind);
        const readEach = async () => {
          for (const each of KINDS) await world.getPatient(readOf(each), sessions[each]);
        };
        await world.removeAuthentication('disconnect', sessions[kind]);
        await readEach();
        await world.getPatient('another user reads', bystander.session);
        await world.signIn('link again', world.again(linked));
        await readEach();
        await world.release(bystander.session.user);
      }
    },
    advice: 'Delete the sessions by the user, not by the session that the call came with.',
  }),
];

/** Whether a server takes these is left to it. What it refuses before a restart it must refuse after it. */
const OPEN = ['save for the removed link', 'save a stored exchange token again'] as const;
const beforeRestart = (label: (typeof OPEN)[number]) => `${label}, before the restart` as const;
type Label = (typeof OPEN)[number] | ReturnType<typeof beforeRestart>;

export const restartChecks: readonly EhrCheck[] = [
  check({
    id: 'kept-over-restart',
    title: 'Links, sessions and exchange tokens that were acknowledged are there after a restart',
    requirements: ['2.3-ttl-lived', '2.4-remembered'],
    expect: { 'read with a session': done, 'use an exchange token': done, 'save for the link': done },
    async play(world) {
      const { session, userSign } = await world.linked();
      const pending = await world.pending();
      await world.parts.restart();
      await world.getPatient('read with a session', session);
      await world.authenticate('use an exchange token', pending);
      await world.saveAuthInfo('save for the link', world.session(session.user), userSign);
    },
    advice:
      'Answer a save only when it is durable; keep links, sessions and exchange tokens in the database.',
  }),
  check({
    id: 'ended-over-restart',
    title: 'What was used up, logged out or disconnected stays so after a restart',
    requirements: ['K-ended-over-restart'],
    expect: {
      'use a used exchange token': refused('exchange_token_unknown'),
      'read after logout': refused('not_authorized'),
      'read after disconnect': refused('not_authorized'),
      'save a stored session again': refused('token_already_stored'),
      'record a recorded session again': refused('token_already_stored'),
    },
    further: [...OPEN.map(beforeRestart), ...OPEN],
    async play(world) {
      const used = await world.linked();
      const loggedOut = await world.linked();
      const disconnected = await world.linked();
      await world.mustSucceed('log out', (label) => world.removeAuthInfo(label, loggedOut.session));
      const stored = await world.saved(loggedOut);
      await world.disconnected(disconnected);
      const next = world.session(disconnected.session.user);
      const open: Record<(typeof OPEN)[number], (label: Label) => Promise<Called>> = {
        'save for the removed link': (label) => world.saveAuthInfo(label, next, disconnected.userSign),
        'save a stored exchange token again': (label) =>
          world.saveExchangeToken(label, used.exchangeToken, used.session),
      };
      const closed: (typeof OPEN)[number][] = [];
      for (const [label, act] of entriesOf(open))
        if ((await act(beforeRestart(label))).result.kind === 'refused') closed.push(label);
      await world.parts.restart();
      for (const label of closed) await open[label](label);
      await world.authenticate('use a used exchange token', used);
      await world.getPatient('read after logout', loggedOut.session);
      await world.getPatient('read after disconnect', disconnected.session);
      await world.saveAuthInfo('save a stored session again', stored, loggedOut.userSign);
      await world.saveAuthInfo('record a recorded session again', used.session, used.userSign);
    },
    judge({ all }) {
      const reopened = OPEN.flatMap((label) => all(label)).find(({ result }) => result.kind === 'done');
      if (!reopened) return undefined;
      const expected = `"${reopened.step.label}" is refused, as before the restart`;
      return { expected, actual: 'it succeeded', shownBy: [reopened] };
    },
    advice: 'Make removals and the use of an exchange token durable before they are acknowledged.',
  }),
];
