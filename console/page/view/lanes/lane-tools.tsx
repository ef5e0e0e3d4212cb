/** Follow, what waits, and the search and filter of the lanes, which say what they hide. */
import { useMemo } from 'react';
import { type Filter, hiddenCount, isFiltered, methodsOf, noFilter, peopleOf } from '../../model/lines.ts';
import { rowsShown } from '../../model/model.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { Button, Labelled, type Option, Select } from '../parts.tsx';

export function LaneTools() {
  const { model, setUi } = useConsole();
  return (
    <div className="row lane-tools">
      {!model.replay && <Pace />}
      <Search />
      <Button text={texts.legend} onClick={() => setUi({ dialog: 'legend' })} />
      <details className="filter">
        <summary className="btn">{texts.filter}</summary>
        <FilterFields />
      </details>
      <HiddenCount />
    </div>
  );
}

/** The id of the search field, for the key that leads there. */
export const SEARCH_ID = 'search';

function Search() {
  const { model, act } = useConsole();
  const { filter } = model;
  return (
    <input
      id={SEARCH_ID}
      className="btn search"
      type="search"
      aria-label={texts.search}
      placeholder={`${texts.searchShort} (/)`}
      value={filter.text}
      onChange={({ target }) => act.filter({ ...filter, text: target.value })}
    />
  );
}

/** A filter that hides something says so, also while its fields are closed. */
function HiddenCount() {
  const { model, act } = useConsole();
  const rows = rowsShown(model);
  const n = useMemo(() => hiddenCount(rows, model.filter), [rows, model.filter]);
  return (
    <p className="hidden-count" role="status">
      {n > 0 && (
        <>
          <span>{n === 1 ? texts.oneHidden : texts.hidden(n)}</span>{' '}
          <Button className="text-button" text={texts.showAll} onClick={() => act.filter(noFilter)} />
        </>
      )}
    </p>
  );
}

function Pace() {
  const { model, act } = useConsole();
  const { paused, held, follows } = model;
  return (
    <div className="pace">
      <Button text={texts.follow} aria-pressed={follows} onClick={() => act.follow(!follows)} />
      <span className="pace-waiting" role="status">
        {(paused || held.length > 0) && texts.waiting(held.length)}
      </span>
    </div>
  );
}

const PARTIES = ['client', 'auth', 'ehr'] as const;
const OUTCOMES = ['underWay', 'done', 'refused', 'failed', 'broken'] as const;

function FilterFields() {
  const { model, act } = useConsole();
  const { filter } = model;
  const rows = rowsShown(model);
  const same = (text: string): Option => [text, text];
  const fields: [keyof Filter, string, Option[]][] = [
    ['party', texts.filterParty, PARTIES.map((party) => [party, texts[party]])],
    ['method', texts.method, methodsOf(rows).map(same)],
    [
      'outcome',
      texts.filterOutcome,
      OUTCOMES.map((outcome) => [outcome, texts[`outcome_${outcome}` as const]]),
    ],
    ['person', texts.filterPerson, peopleOf(rows).map(same)],
  ];
  return (
    <div className="filter-fields">
      {fields.map(([field, label, options]) => (
        <Labelled key={field} text={label}>
          <Select
            value={filter[field]}
            options={[['', texts.all], ...options]}
            onChoose={(value) => act.filter({ ...filter, [field]: value })}
          />
        </Labelled>
      ))}
      <Button text={texts.clearFilter} disabled={!isFiltered(filter)} onClick={() => act.filter(noFilter)} />
    </div>
  );
}
