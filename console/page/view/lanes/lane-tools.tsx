/** Follow, what waits, and the filter of the lanes. */
import { type Filter, isFiltered, methodsOf, noFilter } from '../../model/filter.ts';
import { rowsShown } from '../../model/model.ts';
import type { TextKey } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { Button } from '../parts/button.tsx';
import { Labelled, type Option, Select } from '../parts/select.tsx';

export function LaneTools() {
  const { model, say } = useConsole();
  return (
    <div className="row lane-tools">
      {!model.replay && <Pace />}
      <details className="filter" open={isFiltered(model.filter) || undefined}>
        <summary className="btn" id="filter">
          {say('filter')}
        </summary>
        <FilterFields />
      </details>
    </div>
  );
}

function Pace() {
  const { model, act, say } = useConsole();
  const { paused, held, follows } = model;
  return (
    <div className="pace">
      <Button text="follow" aria-pressed={follows} onClick={() => act.follow(!follows)} />
      <span className="pace-waiting" role="status">
        {(paused || held.length > 0) && say('waiting', { n: held.length })}
      </span>
    </div>
  );
}

const PARTIES = ['client', 'auth', 'ehr'] as const;
const OUTCOMES = ['done', 'refused', 'failed', 'broken'] as const;

function FilterFields() {
  const { model, act, say } = useConsole();
  const { filter } = model;
  const same = (text: string): Option => [text, text];
  const fields: [keyof Filter, TextKey, Option[]][] = [
    ['party', 'filterParty', PARTIES.map((party) => [party, say(party)])],
    ['method', 'method', methodsOf(rowsShown(model)).map(same)],
    ['outcome', 'filterOutcome', OUTCOMES.map((outcome) => [outcome, say(`outcome_${outcome}`)])],
    ['person', 'filterPerson', model.overview?.people.map(({ name }) => same(name)) ?? []],
  ];
  return (
    <div className="filter-fields">
      {fields.map(([field, label, options]) => (
        <Labelled key={field} text={label}>
          <Select
            value={filter[field]}
            options={[['', say('all')], ...options]}
            onChoose={(value) => act.filter({ ...filter, [field]: value })}
          />
        </Labelled>
      ))}
      <Button text="clearFilter" disabled={!isFiltered(filter)} onClick={() => act.filter(noFilter)} />
    </div>
  );
}
