/** Makes the rules of a client: rules of its messages, and rules of the steps of a person. */
import type { Check } from '../../../../engine/check/check.ts';
import { faultOf, type Nothing, type Rule, type RuleWithout, rule } from '../../../../engine/check/rule.ts';
import type { Judgement } from '../../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { labelOf, type MessageRule } from '../../servers/calls.ts';

/** Scenarios that together have every kind of call; played when `--only` names a rule of messages. */
export const EVERY_CALL = [
  'exchange-token-first',
  'logout-ehr-first',
  'deletion-ehr-first',
  'user-sign-kept',
] as const;

/** In a watched session, which has no scenarios, the person decides what is done. */
const notCalled =
  (because: string) =>
  ({ entries }: JournalView): Nothing =>
    entries.some(({ kind }) => kind === 'scenario') ? { unclear: because } : { notApplicable: because };

type MessagesOf = (journal: JournalView) => ExchangeEntry[];

/** Makes a rule of the messages that `of` selects. */
export const messageRule = (
  id: string,
  of: MessagesOf,
  about: RuleWithout<ExchangeEntry, 'id' | 'of' | 'party' | 'scenarios' | 'nothing'> &
    Partial<Pick<Rule<ExchangeEntry>, 'scenarios' | 'nothing'>>,
): Check =>
  rule({
    ...{ id, of, party: 'client', scenarios: EVERY_CALL, watchable: true },
    nothing: notCalled('the client made no such call'),
    ...about,
  });

/** Makes a rule of the steps for which `of` is true. */
export const stepRule = (
  id: string,
  {
    of,
    ...about
  }: RuleWithout<PlayedStep, 'id' | 'of' | 'party' | 'nothing'> & { of: (played: PlayedStep) => boolean },
): Check =>
  rule({
    id,
    party: 'client',
    nothing: { unclear: 'no step that shows it has led anywhere' },
    of: (journal) => journal.allSteps().filter(of),
    ...about,
  });

export const to =
  (...servers: readonly ('auth' | 'ehr')[]): MessagesOf =>
  (journal) =>
    servers.flatMap((server) => journal.exchanges(`client->${server}`));

export const anyCall = to('auth', 'ehr');

export const calls =
  (...methods: readonly string[]): MessagesOf =>
  (journal) =>
    anyCall(journal).filter(({ facts }) => facts.call !== undefined && methods.includes(facts.call.method));

/** The steps of its scenario before this one. */
export function before(played: PlayedStep, journal: JournalView): readonly PlayedStep[] {
  const own = journal.stepsOf({ id: played.step.scenario });
  return own.slice(0, own.indexOf(played));
}

/** Makes a control: the client must have called each of these methods. */
export const made =
  (...methods: readonly string[]) =>
  (journal: JournalView): Nothing | undefined => {
    const unmade = methods.find((method) => calls(method)(journal).length === 0);
    return unmade === undefined ? undefined : notCalled(`the client made no ${unmade} call`)(journal);
  };

/** Makes a control: some call must carry the value of the rule. */
export const carried =
  (carries: (exchange: ExchangeEntry) => boolean) =>
  (_journal: JournalView, all: readonly ExchangeEntry[]): Nothing | undefined =>
    all.some(carries) ? undefined : { notApplicable: 'no call of the client carries such a value' };

/** Makes a judge: the kit, which saw the messages in clear, must have noted none that breaks this rule. */
export const noted =
  (rule: MessageRule, expected: string) =>
  (all: readonly ExchangeEntry[], journal: JournalView): Judgement => {
    const broken = journal.observationsOf(labelOf(rule)).map((note) => {
      // The kit notes it while the message is under way.
      const message = anyCall(journal).findLast(
        ({ seq, link, scenario }) =>
          seq < note.seq && link === `client->${note.values.to}` && scenario === note.scenario,
      );
      const step = message && journal.stepOf(message)?.step;
      return { what: `${note.values.method}: ${note.values.what}`, each: message ?? note, step };
    });
    return faultOf(expected, broken, all.length);
  };
