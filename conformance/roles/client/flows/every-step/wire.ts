/** Judges each message of the client, in all scenarios. */
import type { Check } from '../../../../engine/check/check.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/judging.ts';
import { first, type RedChange } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import type { Entry, ExchangeEntry, ObservationEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { labelOf } from '../../servers/messages.ts';
import type { WireCheck } from './wire-check.ts';
import { wireTable } from './wire-table.ts';

/** Scenarios with every kind of call. For a check of messages alone, `--only` plays no others. */
export const SHOWN_IN = ['exchange-token-first', 'logout-ehr-first', 'deletion-ehr-first', 'user-sign-kept'] as const;

/** The checks of single messages. They judge the messages of every scenario that was played. */
export const wireChecks: readonly Check[] = wireTable.map((row) => ({
  id: row.id,
  title: row.title,
  level: row.level ?? 'MUST',
  requirements: row.requirements,
  scenarios: [...(row.alsoIn ?? []), ...SHOWN_IN],
  watchable: row.isOfTyped !== true,
  judge: (journal) => judge(row, journal),
  red: redOf(row),
}));

function judge(row: WireCheck, journal: JournalView): Finding {
  const shown = [...journal.exchanges('client->auth'), ...journal.exchanges('client->ehr')].filter(row.of);
  const found = faultsOf(row, shown, journal);
  const [one] = found;
  if (one) {
    const more = found.length > 1 ? ` (${found.length} times)` : '';
    const evidence = found.map(({ seq }) => seq).slice(0, MAX_EVIDENCE);
    const { expected, advice } = row;
    return { outcome: 'fail', expected, actual: `${one.what}${more}`, evidence, blame: 'client', advice };
  }
  const missing = row.needs?.find((method) => !isPlayed(method, journal)) ?? (shown.length === 0 ? 'such' : undefined);
  if (missing === undefined) return { outcome: 'pass', evidence: shown.map(({ seq }) => seq).slice(0, MAX_EVIDENCE) };
  const because = `the client made no ${missing} call`;
  // In a watched session the person decides what is done.
  return isWatched(journal)
    ? { outcome: 'not applicable', because }
    : { outcome: 'inconclusive', because, blame: 'client' };
}

const isWatched = ({ entries }: JournalView): boolean => !entries.some(({ kind }) => kind === 'scenario');

const isPlayed = (method: string, journal: JournalView) =>
  [...journal.exchanges('client->auth', method), ...journal.exchanges('client->ehr', method)].length > 0;

function faultsOf(row: WireCheck, shown: readonly ExchangeEntry[], journal: JournalView) {
  if ('wrong' in row) return shown.flatMap((each) => wordsOf(each, row.wrong(each)));
  const isOfRule = (entry: Entry): entry is ObservationEntry =>
    entry.kind === 'observation' && entry.label === labelOf(row.rule);
  return journal.entries.filter(isOfRule).map(({ seq, values }) => ({ seq, what: `${values.method}: ${values.what}` }));
}

const wordsOf = ({ seq, facts }: ExchangeEntry, what: string | undefined) =>
  what === undefined ? [] : [{ seq, what: `${facts.call?.method ?? 'a message'}: ${what}` }];

function redOf(row: WireCheck): RedChange {
  if ('wrong' in row) {
    return ({ exchanges }) => {
      const shown = [...exchanges('client->auth'), ...exchanges('client->ehr')].filter(row.of);
      row.spoil(first(shown));
    };
  }
  return ({ entries }) => {
    const { seq, at } = first(entries.filter((entry) => entry.kind === 'exchange'));
    const values = { to: 'ehr', method: 'a call', what: 'it is wrong' };
    // Between two entries: an observation takes the place of the exchange's own number.
    entries.push({ kind: 'observation', seq, at, scenario: '', label: labelOf(row.rule), values });
  };
}
