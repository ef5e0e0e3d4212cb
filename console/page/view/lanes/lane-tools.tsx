/** Pause, step, follow, and the filter of the lanes. */
import { type Filter, isFiltered, methodsOf, noFilter } from '../../model/filter.ts';
import { rowsShown } from '../../model/model.ts';
import { useConsole } from '../context.ts';

export function LaneTools() {
  const { model, say } = useConsole();
  return (
    <div className="lane-tools">
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
      <button
        type="button"
        className="btn"
        aria-pressed={paused}
        onClick={() => (paused ? act.resume() : act.pause())}
      >
        {say(paused ? 'resume' : 'pause')}
      </button>
      <button type="button" className="btn" disabled={held.length === 0} onClick={() => act.showNext()}>
        {say('showNext')}
      </button>
      <button type="button" className="btn" aria-pressed={follows} onClick={() => act.follow(!follows)}>
        {say('follow')}
      </button>
      <span className="pace-waiting" role="status">
        {held.length > 0 && say('waiting', { n: held.length })}
      </span>
    </div>
  );
}

function FilterFields() {
  const { model, act, say } = useConsole();
  const { filter } = model;
  const set = (change: Partial<Filter>) => act.filter({ ...filter, ...change });
  const people = model.overview?.people.map(({ name }) => [name, name] as const) ?? [];
  return (
    <div className="filter-fields">
      <Choice
        label={say('filterParty')}
        value={filter.party}
        options={(['client', 'auth', 'ehr'] as const).map((party) => [party, say(party)])}
        onChoose={(party) => set({ party: party as Filter['party'] })}
      />
      <Choice
        label={say('filterMethod')}
        value={filter.method}
        options={methodsOf(rowsShown(model)).map((method) => [method, method])}
        onChoose={(method) => set({ method })}
      />
      <Choice
        label={say('filterOutcome')}
        value={filter.outcome}
        options={(['done', 'refused', 'failed', 'broken'] as const).map((value) => [
          value,
          say(`outcome_${value}`),
        ])}
        onChoose={(outcome) => set({ outcome: outcome as Filter['outcome'] })}
      />
      <Choice
        label={say('filterPerson')}
        value={filter.person}
        options={people}
        onChoose={(person) => set({ person })}
      />
      <button
        type="button"
        className="btn"
        disabled={!isFiltered(filter)}
        onClick={() => act.filter(noFilter)}
      >
        {say('clearFilter')}
      </button>
    </div>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChoose: (value: string) => void;
};

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const { say } = useConsole();
  return (
    <label className="choice-label">
      <span>{label}</span>
      <select className="btn" value={value} onChange={({ target }) => onChoose(target.value)}>
        <option value="">{say('all')}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
