/** How sessions are saved and ended, what they open, and what a restart keeps. */
import type { Step } from '../../../../engine/check/playing.ts';
import { type EhrFlow, flow, nothingNoted } from '../../flow.ts';
import type { Called } from '../../world/calls.ts';
import { type Cred, valuesOf, whatTells } from '../../world/messages.ts';
import type { EhrWorld } from '../../world/world.ts';

/** Wrong creds, made of a stored session and of one that is not stored. */
const CREDS = {
  'another token': ({ user }: Cred, { token }: Cred) => ({ user, token }),
  'another user': ({ token }: Cred, { user }: Cred) => ({ user, token }),
  'the user in capitals': ({ user, token }: Cred) => ({ user: user.toUpperCase(), token }),
  'the first letter of the token': ({ user, token }: Cred) => ({ user, token: token.slice(0, 1) }),
  'the token without its last letter': ({ user, token }: Cred) => ({ user, token: token.slice(0, -1) }),
  'a condition of SQL': () => ({ user: "' or 1=1 --", token: "' or 1=1 --" }),
};

/** Kinds of the newest session of a user, which disconnects: a server may let one session of a user live. */
const NEWEST = ['saved last', 'of another device'] as const;

async function everySession(world: EhrWorld, newest: (typeof NEWEST)[number]) {
  const linked = await world.linked();
  const read = await world.saved(linked);
  await world.mustSucceed('read with it', (label) => world.getPatient(label, read));
  const unread = await world.saved(linked);
  const early = newest === 'of another device' ? await world.saved(linked) : undefined;
  const device = await world.pending(world.again(linked));
  await world.link(device);
  const sessions = {
    'of the first link': linked.session,
    'saved and read': read,
    'saved and never read': unread,
    'of another device': device.session,
    'saved last': early ?? (await world.saved(linked)),
  };
  return { linked, sessions };
}

export const sessionFlows: readonly EhrFlow[] = [
  flow('no-session-no-data', {
    title: 'Without a stored session patient data is refused',
    requirements: ['3-no-session', '4.4-not-authenticated'],
    explains: [
      ...['save-needs-cred', 'exchange-token-alone-opens-nothing', 'removal-needs-session'],
      ...['cookies-open-nothing', 'calls-of-batch-apart', 'saves-of-batch-apart'],
    ],
    advice:
      'Answer get_patient with code -33000 unless a session of exactly this user and token is stored; keep nothing of an earlier call, nor of its connection.',
    async play(world) {
      const { session } = await world.linked();
      const unknown = world.session();
      const noCred = { cred: undefined };
      await world.refuses(world.getPatient('an unknown session', unknown), 'not_authorized');
      await world.refuses(world.getPatient('no cred', unknown, noCred));
      for (const [label, change] of Object.entries(CREDS))
        await world.refuses(world.getPatient(label, change(session, unknown)), 'not_authorized');
      await world.control(world.getPatient('a stored session', session));
      await world.refuses(world.getPatient('no cred, after a right call', session, noCred));
    },
  }),
  flow('not-authenticated-told-apart', {
    title: 'The error of a read without a session differs from that of another fault of the same call',
    requirements: ['7-not-authenticated'],
    judge({ all, of }) {
      const [one, again] = all('no session');
      const other = of('an unknown method');
      if (!one || !again || whatTells([other], [one, again]) !== undefined) return undefined;
      const shownBy = [one, other];
      return { expected: 'an error of its own', actual: 'the error of "an unknown method"', shownBy };
    },
    advice: 'Answer a read without a session by -33000: the client shows its form by that code.',
    async play(world) {
      for (const _ of [1, 2]) await world.refuses(world.getPatient('no session', world.session()));
      const envelope = { method: 'no.method' };
      await world.refuses(world.getPatient('an unknown method', world.session(), { envelope }));
    },
  }),
  flow('save-opens-linked-user', {
    title: 'save_auth_info opens a session of a user who was linked before, with the same patient',
    requirements: ['3-save-opens', '3-authenticated'],
    judge({ of }) {
      const [before, again] = [of('read before'), of('read again')];
      const [expected = 'none', actual = 'none'] = [before, again].map((read) => valuesOf(read).patient);
      return expected === actual ? undefined : { expected, actual, shownBy: [before, again] };
    },
    advice: 'Keep the link when a session ends, and take it for the next one.',
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.succeeds(world.getPatient('read before', session));
      await world.succeeds(world.removeAuthInfo('log out', session));
      const next = world.session(session.user);
      await world.succeeds(world.saveAuthInfo('save a new session', next, userSign));
      await world.succeeds(world.getPatient('read again', next));
    },
  }),
  flow('logout-ends-session', {
    title: 'A session that was read gives no record after its logout',
    requirements: ['3-logout-ends-session'],
    explains: ['repeated-save-refused', 'no-read-outlives-ending', 'follows-state-table'],
    advice: 'Delete the session at remove_auth_info, and what a read has cached of it.',
    async play(world) {
      const { session } = await world.linked();
      await world.control(world.getPatient('read before', session));
      await world.succeeds(world.removeAuthInfo('log out', session));
      await world.refuses(world.getPatient('read after the logout', session), 'not_authorized');
    },
  }),
  flow('repeated-save-refused', {
    title: 'A repeated save_auth_info of a stored token is refused, and the session stays as it was',
    requirements: [
      '4.1-repeat-refused',
      '3-repeated-save-changes-nothing',
      '8-token-used-once',
      '3-logout-ends-session',
    ],
    advice: 'Give the session token a unique index, and refuse a token that is there.',
    async play(world) {
      const { session, userSign } = await world.linked();
      const next = world.session(session.user);
      await world.control(world.saveAuthInfo('first save', next, userSign));
      const shorter = { ...next, ttl: world.ttl(1) };
      await world.refuses(world.saveAuthInfo('second save', shorter, userSign), 'token_already_stored');
      await world.succeeds(world.getPatient('read the patient', next));
      // A row that the refused save has added would be left.
      await world.succeeds(world.removeAuthInfo('log out', next));
      await world.refuses(world.getPatient('read after the logout', next), 'not_authorized');
    },
  }),
  flow('token-unique-across-users', {
    title: "A token stored for one user is refused for another, and opens the first user's patient alone",
    requirements: ['4.1-token-unique'],
    advice: 'Make the token unique in the whole system, not for each user.',
    async play(world) {
      const holder = await world.linked();
      const { session, userSign } = await world.linked();
      const taken = { ...session, token: holder.session.token };
      const save = world.saveAuthInfo('another user saves it', taken, userSign);
      await world.refuses(save, 'token_already_stored');
      await world.refuses(world.getPatient('the other user reads', taken), 'not_authorized');
      await world.control(world.getPatient('the holder reads', holder.session));
    },
  }),
  flow('unknown-user-not-saved', {
    title: 'save_auth_info for a user who was never linked is refused, and opens nothing',
    requirements: ['5.1-digest-verified', '5.3-own-sign-needed'],
    advice:
      'Look the user up among the links that authenticate made; refuse a user who has none (code -34007).',
    async play(world) {
      const { session, userSign } = await world.linked();
      const users = {
        'save a session': world.session().user,
        'save for the user in other letters': session.user.toUpperCase(),
        'save for the beginning of the user': session.user.slice(0, -1),
      };
      for (const [label, user] of Object.entries(users)) {
        const stranger = world.session(user);
        await world.refuses(world.saveAuthInfo(label, stranger, userSign), 'user_unknown');
        await world.refuses(world.getPatient('read the patient', stranger), 'not_authorized');
      }
    },
  }),
  flow('disconnect-removes-link', {
    title: 'After remove_authentication save_auth_info is refused for the user',
    requirements: ['3-disconnect-ends-session'],
    explains: ['state-table-refuses-within', 'link-ends-every-session'],
    advice: 'Delete the link and its user_sign together with the sessions of the user.',
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.control(world.removeAuthentication('disconnect', session));
      const next = world.session(session.user);
      await world.refuses(world.saveAuthInfo('save a new session', next, userSign), 'user_unknown');
    },
  }),
  flow('removal-needs-session', {
    title: 'A removal without a cred, or with one that is no stored session, removes nothing',
    requirements: ['5.4-removals-cred-checked'],
    explains: ['no-read-outlives-ending', 'session-token-compared-in-full'],
    advice: 'Verify user and token of the cred together before anything is removed.',
    async play(world) {
      const linked = await world.linked();
      const ended = linked.session;
      await world.control(world.removeAuthInfo('log out', ended));
      const session = await world.saved(linked);
      const unknown = world.session();
      const mixed = { user: unknown.user, token: session.token };
      const wrongToken = { user: session.user, token: unknown.token };
      await world.removeAuthInfo('log out without cred', session, { cred: undefined })();
      await world.removeAuthInfo('log out with an unknown token', wrongToken)();
      await world.removeAuthInfo("log out with another user's name", mixed)();
      await world.removeAuthentication('disconnect without cred', session, { cred: undefined })();
      await world.removeAuthentication('disconnect with an unknown token', wrongToken)();
      await world.removeAuthentication("disconnect with another user's name", mixed)();
      await world.removeAuthInfo('log out with the ended session', ended)();
      await world.removeAuthentication('disconnect with the ended session', ended)();
      await world.succeeds(world.getPatient('read at last', session));
    },
  }),
  flow('logout-ends-its-exchange-tokens', {
    title: 'remove_auth_info ends the pending exchange tokens of its session, and of no other',
    requirements: ['D36-logout-ends-pending'],
    advice: 'Delete the exchange tokens of the session together with it.',
    async play(world) {
      const { person, session, userSign } = await world.linked();
      const other = await world.saved({ session, userSign });
      const own = await world.pendingFor({ person, session });
      world.needs(own.session === session, 'the server takes no exchange token for a live session');
      const others = await world.pending({ person, session: other });
      await world.control(world.removeAuthInfo('log out', session));
      await world.refuses(world.authenticate('token of this session', own), 'exchange_token_unknown');
      await world.succeeds(world.authenticate('token of another session', others));
    },
  }),
  flow('disconnect-ends-exchange-tokens', {
    title: 'remove_authentication ends all pending exchange tokens of the user',
    requirements: ['D36-disconnect-ends-pending'],
    advice: 'Delete the exchange tokens of the user together with the link.',
    async play(world) {
      const linked = await world.linked();
      const { person, session } = linked;
      const other = await world.saved(linked);
      const pending = await world.pendingFor({ person, session });
      const others = await world.pendingFor({ person, session: other });
      await world.control(world.removeAuthentication('disconnect', session));
      await world.refuses(world.authenticate('a token saved before', pending), 'exchange_token_unknown');
      await world.refuses(world.authenticate('a token of another session', others), 'exchange_token_unknown');
    },
  }),
  flow('link-ends-every-session', {
    title: 'remove_authentication ends the sessions of the user, however made, and of nobody else',
    requirements: ['D20-all-sessions-removed'],
    advice: 'Delete the sessions by the user, not by the session that the call came with.',
    async play(world) {
      const bystander = await world.linked();
      for (const kind of NEWEST) {
        const { linked, sessions } = await everySession(world, kind);
        const readEach = async () => {
          for (const [each, session] of Object.entries(sessions))
            await world.refuses(world.getPatient(`read with the session ${each}`, session), 'not_authorized');
        };
        await world.control(world.removeAuthentication('disconnect', sessions[kind]));
        await readEach();
        await world.succeeds(world.getPatient('another user reads', bystander.session));
        await world.control(world.signIn('link again', world.again(linked)));
        await readEach();
        await world.release(bystander.session.user);
      }
    },
  }),
];

/** Plays calls that a server may take. Returns those that it refused: a restart must not open them. */
async function refusedOf(
  open: Readonly<Record<string, (label: string) => Step<Called>>>,
): Promise<Step<Called>[]> {
  const refused: Step<Called>[] = [];
  for (const [label, stepOf] of Object.entries(open)) {
    const { result } = await stepOf(`${label}, before the restart`)();
    if (result.kind === 'refused') refused.push(stepOf(label));
  }
  return refused;
}

const THREE_DAYS_MINUTES = 4_320;
const DAY_LATER_MINUTES = 1_500;
const LATEST = 'read at last with a session that was saved later';

export const restartFlows: readonly EhrFlow[] = [
  flow('kept-over-restart', {
    title: 'Links, sessions and exchange tokens that were acknowledged are there after a restart',
    requirements: ['2.3-ttl-lived', '2.4-remembered'],
    advice:
      'Answer a save only when it is durable, also where the process is killed; keep links, sessions and exchange tokens in the database, and purge only what has ended.',
    async play(world) {
      const { session, userSign } = await world.linked();
      const pending = await world.pending();
      const other = await world.linked();
      const days = world.session(other.session.user, THREE_DAYS_MINUTES);
      const { result } = await world.saveAuthInfo('save a session of three days', days, other.userSign)();
      await world.parts.restart();
      await world.succeeds(world.getPatient('read with a session', session));
      await world.succeeds(world.authenticate('use an exchange token', pending));
      // Servers purge each day, or when they start.
      if (world.parts.canAdvance) await world.advance(DAY_LATER_MINUTES);
      const next = world.session(session.user);
      await world.succeeds(world.saveAuthInfo('save for the link', next, userSign));
      await world.parts.restart('killed');
      await world.succeeds(world.getPatient('read with a session that was saved last', next));
      const read = world.getPatient('read with the session of three days', days);
      await (result.kind === 'done' ? world.succeeds(read) : read());
    },
  }),
  flow('ends-kept-over-restart', {
    title: 'A restart lets no session and no exchange token end later',
    requirements: ['2.3-ttl-lived', '8-exchange-token-lifetime'],
    judge: nothingNoted('both are over', LATEST),
    advice: 'Store the end of each session and exchange token, and read it back at the start as it is.',
    async play(world) {
      world.needs(world.parts.canAdvance, 'the clock of the server cannot be moved');
      const [first, second] = [await world.linked(), await world.linked()];
      const ttl = world.ttl(8);
      const ends = await world.saved(first, { ttl });
      const late = await world.pending();
      await world.advance(4);
      const later = await world.saved(second, { ttl });
      await world.advance(1);
      await world.parts.restart();
      await world.advance(5, 10);
      const played = {
        'the session': await world.getPatient('read with a session that is over', ends)(),
        'the exchange token': await world.authenticate('use an exchange token that is over', late)(),
      };
      await world.advance(5);
      const { result } = await world.getPatient(LATEST, later)();
      // It lives where the restart set the clock back; where lifetimes begin again, it is over.
      world.needs(result.kind !== 'done', 'the clock that was moved did not outlive the restart');
      const begun = Object.entries(played).filter(([, each]) => each.result.kind === 'done');
      const fault = begun.map(([name]) => `${name} began its lifetime again`).join('; ');
      world.observe(LATEST, { fault });
    },
  }),
  flow('ended-over-restart', {
    title: 'What was used up, logged out or disconnected stays so after a restart',
    requirements: ['K-ended-over-restart'],
    advice: 'Make removals and the use of an exchange token durable before they are acknowledged.',
    async play(world) {
      const used = await world.linked();
      const loggedOut = await world.linked();
      const disconnected = await world.linked();
      await world.mustSucceed('log out', (label) => world.removeAuthInfo(label, loggedOut.session));
      const stored = await world.saved(loggedOut);
      await world.disconnected(disconnected);
      const next = world.session(disconnected.session.user);
      const closed = await refusedOf({
        'save for the removed link': (label) => world.saveAuthInfo(label, next, disconnected.userSign),
        'save a stored exchange token again': (label) =>
          world.saveExchangeToken(label, used.exchangeToken, used.session),
      });
      await world.parts.restart();
      for (const step of closed) await world.refuses(step);
      await world.refuses(world.authenticate('use a used exchange token', used), 'exchange_token_unknown');
      await world.refuses(world.getPatient('read after logout', loggedOut.session), 'not_authorized');
      await world.refuses(world.getPatient('read after disconnect', disconnected.session), 'not_authorized');
      const again = world.saveAuthInfo('save a stored session again', stored, loggedOut.userSign);
      await world.refuses(again, 'token_already_stored');
      const recorded = world.saveAuthInfo('record a recorded session again', used.session, used.userSign);
      await world.refuses(recorded, 'token_already_stored');
    },
  }),
];
