/** Follow, what waits, and the search and filter of the lanes, which say what they hide. */
import { useMemo } from 'react';
import { type Filter, hiddenCount, isFiltered, methodsOf, noFilter, peopleOf } from '../../model/lines.ts';
import { rowsShown } from '../../model/model.ts';
import { useConsole } from '../context.ts';
import { outcomeWords, partyNames } from '../format.ts';
import { Button, Labelled, type Option, Select } from '../parts.tsx';

export function LaneTools() {
  const { model, setUi } = useConsole();
  return (
    <div className="row lane-tools">
      {!model.replay && <FollowAndWaiting />}
      <Search />
      <Button text="Legend" onClick={() => setUi({ dialog: 'legend' })} />
      <details className="filter">
        <summary className="btn">Filter</summary>
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
      aria-label="Search messages"
      placeholder="Search (/)"
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
          <span>{n === 1 ? '1 message hidden by the filter:' : `${n} messages hidden by the filter:`}</span>{' '}
          <Button className="text-button" text="show all" onClick={() => act.filter(noFilter)} />
        </>
      )}
    </p>
  );
}

/** Whether the lanes stay at their end; and how many rows a pause holds back, to be shown one by one. */
function FollowAndWaiting() {
  const { model, act } = useConsole();
  const { paused, waiting, follows } = model;
  return (
    <div className="pace">
      <Button text="Follow" aria-pressed={follows} onClick={() => act.follow(!follows)} />
      <span className="pace-waiting" role="status">
        {(paused || waiting.length > 0) && `${waiting.length} waiting`}
      </span>
    </div>
  );
}

function FilterFields() {
  const { model, act } = useConsole();
  const { filter } = model;
  const rows = rowsShown(model);
  const same = (text: string): Option => [text, text];
  const fields: [keyof Filter, string, Option[]][] = [
    ['party', 'Party', Object.entries(partyNames)],
    ['method', 'Method', methodsOf(rows).map(same)],
    ['outcome', 'Outcome', Object.entries(outcomeWords)],
    ['person', 'Person', peopleOf(rows).map(same)],
  ];
  return (
    <div className="filter-fields">
      {fields.map(([field, label, options]) => (
        <Labelled key={field} text={label}>
          <Select
            value={filter[field]}
            options={[['', 'all'], ...options]}
            onChoose={(value) => act.filter({ ...filter, [field]: value })}
          />
        </Labelled>
      ))}
      <Button text="Clear" disabled={!isFiltered(filter)} onClick={() => act.filter(noFilter)} />
    </div>
  );
}
