/** Confirming the phone, and the way of users who return (§1 rules 1, 7 and 8). */

import type { JournalView } from '../journal/view.ts';
import { describe } from '../stage/stage.ts';
import type { Finding } from '../verdict.ts';
import type { Check } from './check.ts';
import { failed, inconclusive, refusedStep, SAVE_AUTH_INFO, sentTo, unplayed } from './judging.ts';

const CONFIRM_ADVICE =
  'Compare the code with the newest one sent to this very phone, once, and open no session otherwise.';

function codeCheck(
  id: string,
  title: string,
  scenario: string,
  control: string,
  attempt: string,
  more: Partial<Check> = {},
): Check {
  return {
    id,
    title,
    level: 'MUST',
    requirements: ['1-phone-confirmed'],
    scenarios: [scenario],
    watchable: false,
    judge: (journal) =>
      refusedStep(journal, {
        scenario,
        control,
        attempt,
        expected: 'the sign-in is refused',
        advice: CONFIRM_ADVICE,
        nothingSent: true,
      }),
    ...more,
  };
}

function returns(journal: JournalView, label: string): Finding {
  const played = journal.step('returning-user', label);
  if (!played) return unplayed(journal, 'returning-user');
  const saves = sentTo(played, SAVE_AUTH_INFO);
  const accepted = saves.some(({ facts }) => facts.reply?.result);
  if (accepted) return { outcome: 'pass', evidence: played.evidence };
  const actual = saves.length > 0 ? `it was refused (${saves[0]?.facts.reply?.reason})` : 'it was not sent';
  return failed(
    'save_auth_info during the sign-in, accepted',
    actual,
    played.evidence,
    "A sign-in of a user who was linked earlier sends save_auth_info with that user's user_sign.",
  );
}

export const signIn: readonly Check[] = [
  {
    id: 'returning-user-saved-directly',
    title: 'The sign-in of a user who brings a user_sign sends save_auth_info directly',
    level: 'MUST',
    requirements: ['1-matched-user-saved-directly', 'DA-sign-in-with-sign'],
    scenarios: ['returning-user'],
    watchable: false,
    judge: (journal) => returns(journal, 'Bea returns with user_sign'),
  },
  {
    id: 'second-returning-user-saved-directly',
    title: 'A second returning user is saved with a user_sign of their own',
    level: 'MUST',
    requirements: ['1-matched-user-saved-directly', '5.1-digest-of-own-sign'],
    scenarios: ['returning-user'],
    watchable: false,
    judge: (journal) => returns(journal, 'Cid returns with user_sign'),
  },
  {
    id: 'sign-on-record-used',
    title: 'The sign-in of a user whose user_sign is on record sends save_auth_info without being given it',
    level: 'SHOULD',
    requirements: ['1-matched-user-saved-directly', 'DA-sign-in-sign-on-record', 'D18-auth-own-table'],
    scenarios: ['returning-user'],
    watchable: false,
    judge: (journal) => returns(journal, 'Bea returns on another device'),
  },
  {
    id: 'returning-user-reads-record',
    title: 'A user who returned reads the record with the session of the sign-in',
    level: 'MUST',
    requirements: ['3-save-opens', '1-pair-at-sign-in'],
    scenarios: ['returning-user'],
    watchable: false,
    judge(journal) {
      const [bea, cid] = [
        journal.step('returning-user', 'Bea reads the record'),
        journal.step('returning-user', 'Cid reads the record'),
      ];
      if (!bea || !cid) return unplayed(journal, 'returning-user');
      const evidence = [...bea.evidence, ...cid.evidence];
      if (bea.result.kind === 'done' && cid.result.kind === 'done') return { outcome: 'pass', evidence };
      return failed(
        'patient data',
        'the EHR server knows no such session',
        evidence,
        'Save at the EHR server the very user and token that the client is given.',
      );
    },
  },
  {
    id: 'first-sign-in-not-saved',
    title: 'The sign-in of a user who was never linked does not claim a session at the EHR server',
    level: 'MUST',
    requirements: ['1-session-saved-after-link', '1-form-on-refusal', '3-no-session'],
    scenarios: ['first-link'],
    watchable: false,
    judge(journal) {
      const before = journal.step('first-link', 'get patient before the link');
      const after = journal.step('first-link', 'get patient after the link');
      if (!before) return unplayed(journal, 'first-link');
      if (before.result.kind === 'failed')
        return { ...inconclusive(describe(before.result), before.evidence), blame: 'harness' } as Finding;
      if (before.result.kind === 'refused') {
        if (!after) return unplayed(journal, 'first-link');
        if (after.result.kind !== 'done')
          return inconclusive('the same call was refused after the link as well', [
            ...before.evidence,
            ...after.evidence,
          ]);
        return { outcome: 'pass', evidence: [...before.evidence, ...after.evidence] };
      }
      return failed(
        'not_authorized, so that the client shows the form',
        'patient data was given',
        before.evidence,
        'Save no session for a user who was not matched to a patient.',
      );
    },
  },
  codeCheck(
    'no-session-without-code',
    'No session is opened for a phone to which no code was sent',
    'wrong-codes',
    'right code',
    'a code although none was requested',
  ),
  codeCheck('wrong-code-refused', 'A wrong code opens no session', 'wrong-codes', 'right code', 'wrong code'),
  codeCheck(
    'foreign-code-refused',
    'A code sent to one phone does not confirm another',
    'wrong-codes',
    'Fay: right code',
    "another phone's code",
  ),
  codeCheck('used-code-refused', 'A code works once', 'wrong-codes', 'right code', 'used code'),
  codeCheck(
    'superseded-code-refused',
    'A newer code makes the older one useless',
    'superseded-code',
    'newest code',
    'superseded code',
    { level: 'ADVICE', requirements: ['K-code-superseded'] },
  ),
  codeCheck(
    'expired-code-refused',
    'A code is refused after its lifetime',
    'expired-code',
    'code in time',
    'expired code',
    { level: 'ADVICE', requirements: ['K-code-expires'] },
  ),
  codeCheck(
    'tries-limited',
    'Many wrong codes make even the right one useless',
    'guessed-codes',
    'right code at once',
    'right code after many guesses',
    { level: 'ADVICE', requirements: ['K-code-tries-limited'] },
  ),
  {
    id: 'known-and-unknown-alike',
    title: 'Known and unknown phones are answered alike',
    level: 'ADVICE',
    requirements: ['K-known-unknown-alike'],
    scenarios: ['known-and-unknown'],
    watchable: false,
    judge(journal) {
      const known = journal.steps('known-and-unknown', 'code for a known phone');
      const unknown = journal.steps('known-and-unknown', 'code for an unknown phone');
      if (known.length === 0 || unknown.length === 0) return unplayed(journal, 'known-and-unknown');
      const answer = (played: (typeof known)[number]) => {
        const { response } = played.exchanges.find(({ link }) => link === 'client->auth') ?? {};
        return `HTTP ${response?.status}, ${shapeOf(response?.body ?? '')}`;
      };
      const evidence = [...(known[0]?.evidence ?? []), ...(unknown[0]?.evidence ?? [])];
      const [ours, theirs] = [new Set(known.map(answer)), new Set(unknown.map(answer))];
      const advice = 'Answer a request for a code in the same way whether the phone is known or not.';
      if ([...ours].join() !== [...theirs].join())
        return failed(
          'the same answer',
          `known: ${[...ours].join(' / ')}; unknown: ${[...theirs].join(' / ')}`,
          evidence,
          advice,
        );
      if (known.some(({ result }) => result.kind !== 'done'))
        return inconclusive('no code could be requested', evidence);
      const [fast, slow] = [median(known.map(({ took }) => took)), median(unknown.map(({ took }) => took))].sort(
        (a, b) => a - b,
      ) as [number, number];
      if (slow - fast > TELLING_DIFFERENCE && slow > 3 * fast)
        return failed('about the same time', `medians of ${fast} and ${slow} ms`, evidence, advice);
      return { outcome: 'pass', evidence };
    },
  },
];

/** Milliseconds between medians that a stranger could tell over a network. */
const TELLING_DIFFERENCE = 100;

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A body without what differs by nature: identifiers, numbers, and which of the pseudonyms stands there. */
function shapeOf(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value: unknown) => {
      if (name === 'id' || typeof value === 'number') return 0;
      return typeof value === 'string' ? withoutNumbers(value) : value;
    });
  } catch {
    // Not JSON: the text itself.
    return withoutNumbers(body);
  }
}

const withoutNumbers = (text: string) => text.replace(/\d+/g, '0');
