/**
 * Checks that each reply of an EHR server carries the id of its own call, also where several calls are under
 * way at the same moment (§2.1): a client that sends several tells the replies apart by nothing else.
 */
import type { Check } from '../../../../engine/check/check.ts';
import type { Fault } from '../../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { check, checkOfAll, done, type EhrExpectation, type EhrScenario, refused } from '../../check.ts';
import { jsonIn, membersOf } from '../../world/answer.ts';
import { callsIn } from './whole-replies.ts';

/** How often the calls meet: one meeting alone may miss the moment at which a server errs. */
const ROUNDS = 4;
/** Reads of each kind at the same moment. */
const CALLERS = 3;

const ADVICE =
  'Keep the id of a call with the call: one that requests share is overwritten by the next before its reply is written.';

/** The ids of a call and of its reply, as texts: a number may come back as its text. */
type Ids = { readonly sent: string; readonly returned: string };

/**
 * The ids of an exchange whose call has a whole number, and whose reply has any id. A reply without an id is
 * another fault: it is not taken for the reply to another call.
 */
function idsIn({ request, response }: ExchangeEntry): Ids | undefined {
  const sent = membersOf(jsonIn(request.body)).id;
  const returned = membersOf(jsonIn(response?.body)).id;
  const isId = typeof returned === 'number' || typeof returned === 'string';
  return Number.isSafeInteger(sent) && isId ? { sent: `${sent}`, returned: `${returned}` } : undefined;
}

/** Names the fault of these exchanges, in the words of the first; undefined: each reply has its own id. */
function crossed(exchanges: readonly ExchangeEntry[]): Fault | undefined {
  const isOther = (exchange: ExchangeEntry) => {
    const ids = idsIn(exchange);
    return ids !== undefined && ids.sent !== ids.returned;
  };
  const shownBy = exchanges.filter(isOther);
  const [ids] = shownBy.flatMap((exchange) => idsIn(exchange) ?? []);
  if (!ids) return undefined;
  return {
    expected: 'the id of the call',
    actual: `the id ${ids.returned} in the reply to a call with the id ${ids.sent} (${shownBy.length} of ${exchanges.length} replies)`,
    shownBy,
  };
}

/** Requires also that the reply to each of the steps has the id of its own call. */
const withOwnId = (expected: EhrExpectation): EhrExpectation => ({
  ...expected,
  judge(label, played) {
    const fault = crossed(played.flatMap(({ exchanges }) => exchanges));
    const isShown = (exchanges: readonly ExchangeEntry[]) =>
      exchanges.some((each) => fault?.shownBy.includes(each));
    if (fault) return { ...fault, shownBy: played.filter(({ exchanges }) => isShown(exchanges)) };
    return expected.judge(label, played);
  },
});

/** The check of calls that are under way at the same moment. */
export const ownIdsAtOnce = check({
  id: 'id-returned-at-once',
  title: 'Of calls that are under way at the same moment, each is answered with its own id',
  requirements: ['2.1-id-echoed'],
  expect: { 'read the patient': withOwnId(done), 'read without a session': withOwnId(refused()) },
  async play(world) {
    const { session } = await world.linked();
    for (let round = 0; round < ROUNDS; round++) {
      const reads = Array.from({ length: CALLERS }, () => [
        world.getPatient('read the patient', session),
        world.getPatient('read without a session', world.session()),
      ]);
      await Promise.all(reads.flat());
    }
  },
  advice: ADVICE,
});

/** Creates the check of all replies in these scenarios. */
export const ownIds = (played: readonly EhrScenario[]): Check =>
  checkOfAll({
    id: 'replies-carry-own-id',
    title: 'No reply carries the id of another call',
    requirements: ['2.1-id-echoed'],
    scenarios: played.map(({ id }) => id),
    judge(journal) {
      const calls = callsIn(journal).filter(idsIn);
      if (calls.length === 0) return { notApplicable: 'no call was answered' };
      return crossed(calls) ?? { right: calls };
    },
    advice: ADVICE,
  });
