/** Checks that an EHR server remembers over a restart what it has answered with success (§2.4, §3). */
import { check, done, type EhrCheck, entriesOf, refused } from '../../check.ts';
import type { Called } from '../../world/calls.ts';

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
