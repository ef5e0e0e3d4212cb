/** Finds sets of calls with which a script may show a fact, the smallest first. */
import type { Needs } from '../script.ts';
import type { TracedCall } from '../trace/traced-call.ts';

/** The sets to try, in this order. */
export function choicesOf(all: readonly TracedCall[], { asked, calls }: Needs): readonly TracedCall[][] {
  const users = new Set([...calls].map((index) => all[index]?.user));
  const until = all.slice(0, endOf(all, Math.max(...asked)));
  return [
    all.filter((_, index) => calls.has(index)),
    ...(until.some(({ link }) => link === 'person') ? actedChoices(until, calls) : []),
    until.filter(({ user, link }, index) => calls.has(index) || users.has(user) || link === 'helper'),
    until,
  ];
}

/** How many calls had begun when this one ended: it may have been kept waiting meanwhile. */
function endOf(all: readonly TracedCall[], last: number): number {
  let end = last + 1;
  const isMeanwhile = (call: TracedCall | undefined) =>
    call !== undefined && call.link !== 'helper' && call.began < (all[last]?.ended ?? 0);
  while (isMeanwhile(all[end])) end++;
  return end;
}

/**
 * Sets of what a person does: the needed steps, with the troubles directly before them, after as few first
 * steps as lead to the screen that was there before.
 */
function actedChoices(until: readonly TracedCall[], needed: ReadonlySet<number>): TracedCall[][] {
  const wanted = new Set(needed);
  for (const index of needed)
    for (let at = index - 1; at >= 0 && until[at]?.link === 'helper'; at--) wanted.add(at);
  const first = Math.min(...wanted);
  const before = until.slice(0, first).findLast(({ link }) => link === 'person');
  const screen = screenOf(before);
  const ends = until.flatMap((call, index) =>
    index < first && call.link === 'person' && screenOf(call) === screen ? [index] : [],
  );
  const chosen = (end: number) => until.filter((_, index) => index <= end || wanted.has(index));
  return [chosen(-1), ...ends.slice(0, MOST_BEGINNINGS).map(chosen)];
}

/** Limits the beginnings that are tried: a screen that comes again mostly shows no change. */
const MOST_BEGINNINGS = 3;

const screenOf = (call: TracedCall | undefined) => /"sees":"(\w+)"/.exec(call?.response?.body ?? '')?.[1];
