/**
 * Checks of records that few people think of: with markup, with signs beyond ASCII, with gaps. `sees(...)`
 * names the screens to which a step may lead.
 */
import type { Check } from '../../../engine/check/check.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { answers, type ClientCheck, check, checkOf, fault, screenOf, seenValue, sees } from '../check.ts';
import { markedRecord, sparseRecord } from '../people/odd-records.ts';

/** The labels of the steps in which such records are read. */
const [USUAL, MARKED, SPARSE] = ['reads the record', 'a record with markup', 'a record with gaps'] as const;
/** Why there is nothing to judge on a screen. */
const UNREAD = 'the kit cannot read on the screen whose record it is';
const isRead = (step: PlayedStep): boolean => seenValue(step, 'record') !== undefined;

export const oddValueChecks: readonly ClientCheck[] = [
  check({
    id: 'odd-records-shown',
    title: 'Markup in a record runs nothing',
    requirements: ['K-client-texts-as-texts'],
    control: { [USUAL]: sees('patient') },
    expect: { [MARKED]: answers, [SPARSE]: answers },
    async play(world) {
      await world.linked();
      await world.press(USUAL, 'readPatient');
      world.recordChanges(markedRecord);
      await world.press(MARKED, 'readPatient');
      world.recordChanges(sparseRecord);
      await world.press(SPARSE, 'readPatient');
    },
    judge({ of }) {
      const marked = of(MARKED);
      return seenValue(marked, 'markup') === 'ran' && fault('markup as a text', 'the page ran it', marked);
    },
    unshown: ({ of }) => (isRead(of(MARKED)) ? undefined : UNREAD),
    advice: 'Show each value as a text; never put it into HTML.',
  }),
];

/** Judges the scenario `odd-records-shown` once more: a record with gaps. */
export const recordWithGaps: Check = checkOf('odd-records-shown', {
  id: 'record-with-gaps-shown',
  title: 'A record that lacks members, or has null for them, is shown all the same',
  requirements: ['K-client-any-server'],
  control: { [USUAL]: sees('patient') },
  expect: { [SPARSE]: sees('patient') },
  judge({ of }) {
    const sparse = of(SPARSE);
    const altered = seenValue(sparse, 'altered');
    if (altered !== undefined) return fault('nothing where there is none', `${altered} is another`, sparse);
    return isRead(sparse) || screenOf(sparse) !== 'patient' ? undefined : { notApplicable: UNREAD };
  },
  advice: 'Show nothing where there is no value: the interface does not say which members a record has.',
});
